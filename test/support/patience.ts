/**
 * Multiplies timeouts and polls of tests: how many times slower than quiet the machine was at the start of the run. Files that failed
 * beside others run again with twice the patience.
 */
export const patience = Number(process.env['TUTTI_TEST_PATIENCE'] ?? 1)
