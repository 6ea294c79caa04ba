/** Whether tests with a long form run it, as they do every night. */
export const LONG = process.env['LONG_TESTS'] === '1'
