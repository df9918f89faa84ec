import { toolVersion } from '../version.ts'
import type { Arguments } from './arguments.ts'
import { doctor } from './doctor.ts'
import { helpText } from './help.ts'
import { init } from './init.ts'
import { enter, start } from './phases.ts'
import { run } from './run.ts'
import { changeSession } from './session.ts'
import { status } from './status.ts'
import type { Surroundings } from './surroundings.ts'
import { uninstall } from './uninstall.ts'
import { validate } from './validate.ts'

/** Does what a command line asks and answers with its exit code. */
export async function dispatch(given: Arguments, surroundings: Surroundings): Promise<number> {
  const { command, words, flags, lists, folder, extra } = given
  switch (command) {
    case 'version':
      surroundings.print(toolVersion)
      return 0
    case 'start':
      start(surroundings, folder)
      return 0
    case 'off':
    case 'on':
    case 'stop':
      changeSession(surroundings, command)
      return 0
    case 'red':
      enter(surroundings, 'RED', words.join(' '), folder)
      return 0
    case 'green':
      enter(surroundings, 'GREEN', words.join(' '), folder)
      return 0
    case 'refactor':
      enter(surroundings, 'REFACTOR', words.join(' '), folder)
      return 0
    case 'status':
      status(surroundings, { json: flags.has('json'), team: flags.has('team'), folder })
      return 0
    case 'validate':
      return await validate(surroundings, {
        strict: flags.has('strict'),
        preCommit: flags.has('pre-commit'),
        json: flags.has('json'),
        folder,
      })
    case 'run':
      return await run(surroundings, {
        reports: lists.report,
        extra,
        folder,
        show: (chunk, stream) => void process[stream].write(chunk),
      })
    case 'init':
      return init(surroundings, { agents: lists.agent, preCommit: !flags.has('no-pre-commit') })
    case 'doctor':
      return doctor(surroundings)
    case 'uninstall':
      return uninstall(surroundings, { keepState: flags.has('keep-state') })
    case 'help':
      surroundings.print(helpText)
  }
  return 0
}
