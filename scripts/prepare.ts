/**
 * Runs after `npm ci` and before start, test and check: builds the console, the tour player and tutti-tdd unless they are up to date.
 */
import { ensureTddBuilt } from '../tdd/scripts/build.ts'
import { ensureConsoleBuilt } from './build-console.ts'
import { ensurePlayerBuilt } from './build-player.ts'

const log = (line: string) => console.log(line)
await ensureConsoleBuilt({ log })
await ensurePlayerBuilt({ log })
await ensureTddBuilt({ log })
