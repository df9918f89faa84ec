/**
 * Runs after `npm ci` and before start, test and check: builds the console and tutti-tdd unless they were built from these
 * very sources.
 */
import { ensureTddBuilt } from '../tdd/scripts/build.ts'
import { ensureConsoleBuilt } from './build-console.ts'

const log = (line: string) => console.log(line)
await ensureConsoleBuilt({ log })
await ensureTddBuilt({ log })
