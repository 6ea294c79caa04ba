/** Why a database is refused: by these names an operator allows it all the same. */
export const HAZARDS = ['fsync', 'synchronous_commit', 'full_page_writes', 'read_only'] as const

export type Hazard = (typeof HAZARDS)[number]
