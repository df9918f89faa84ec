/** Runs after `npm ci` and before start, test and check: builds the console unless it was built from these very sources. */
import { ensureConsoleBuilt } from './build-console.ts'

await ensureConsoleBuilt({ log: (line) => console.log(line) })
