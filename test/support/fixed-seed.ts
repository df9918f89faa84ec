import { configureGlobal } from 'fast-check'

/** The generated cases of the core suite are the same in every run; those of the extended suite are new, and a failure prints their seed. */
if (process.env['TUTTI_TEST_SUITE'] === 'core') configureGlobal({ seed: 20_261_118 })
