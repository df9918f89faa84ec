/** Multiplies timeouts and polls of tests. Files that failed beside others run again with twice the patience. */
export const patience = Number(process.env['TUTTI_TEST_PATIENCE'] ?? 1)
