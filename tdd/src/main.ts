import type * as Aside from './aside.ts'
import type * as Commands from './commands.ts'
import { runHook } from './hook/run-hook.ts'
import { toolVersion } from './version.ts'

export const version = toolVersion

/** Separate bundles beside this one: a hook call loads only those it needs. */
const load = {
  aside: () => (beside('aside') as typeof Aside).aside,
  heavy: () => (beside('commands') as typeof Commands).heavy,
}

function beside(name: string): unknown {
  return require(`${__dirname}/${name}.cjs`)
}

/** Runs the command line: the hook from this bundle, all other commands from the largest bundle. */
export function run(args: readonly string[]): void {
  if (args[0] === 'hook') runHook(args.slice(1), load)
  else void (beside('commands') as typeof Commands).runCommand(args)
}
