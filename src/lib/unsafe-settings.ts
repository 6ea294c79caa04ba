/** Settings with which PostgreSQL may lose confirmed writes, by the names that ALLOW_UNSAFE_DATABASE takes. */
export const UNSAFE_SETTINGS = ['fsync', 'synchronous_commit', 'full_page_writes', 'read_only'] as const

export type UnsafeSetting = (typeof UNSAFE_SETTINGS)[number]
