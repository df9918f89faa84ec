import type { Command } from 'commander'

/** A mistake in a command of this group is answered with where its own help is. */
export function pointToHelp(group: Command): void {
  group.showHelpAfterError(`Run npx tutti ${group.name()} --help to see what there is.`)
  for (const command of group.commands) {
    command.showHelpAfterError(`Run npx tutti ${group.name()} ${command.name()} --help to see how.`)
  }
}
