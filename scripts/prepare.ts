/** Runs after `npm ci` and before `npm start`: builds the console when it is missing or older than its sources. */
import { ensureConsoleBuilt } from './build-console.ts'

await ensureConsoleBuilt({ log: (line) => console.log(line) })
