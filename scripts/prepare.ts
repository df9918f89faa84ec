/**
 * Runs after `npm ci` and before start, test and check: builds the tour player, the console and tutti-tdd unless they are up to date.
 * With `--generate` it first writes the generated files whose sources changed; without, only those that are missing.
 */
import { ensureTddBuilt } from '../tdd/scripts/build.ts'
import { ensureConsoleBuilt } from './build-console.ts'
import { ensurePlayerBuilt } from './build-player.ts'
import { ensureGenerated } from './ensure-generated.ts'

const log = (line: string) => console.log(line)
await ensurePlayerBuilt({ log })
await ensureGenerated({ outdated: process.argv.includes('--generate'), log })
await ensureConsoleBuilt({ log })
await ensureTddBuilt({ log })
