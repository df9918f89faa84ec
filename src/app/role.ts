/** What a process does: everything, only answer requests, or only work. */
export type Role = 'all' | 'api' | 'worker'
