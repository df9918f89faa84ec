import { effectiveLevel } from '../config/config.ts'
import { resumeSession, stopSession, suspendSession } from '../state/session.ts'
import { readState } from '../state/store.ts'
import { type Surroundings, sceneOf } from './surroundings.ts'

/** `tutti-tdd off`, `on` and `stop`: suspends the rules, enforces them again, ends the session. */
export function changeSession(surroundings: Surroundings, command: 'off' | 'on' | 'stop'): void {
  const { print, now } = surroundings
  const { project, config } = sceneOf(surroundings)
  if (command === 'off') {
    suspendSession(project, now)
    print(`Enforcement is off in ${project.root}: every edit and commit passes until tutti-tdd on.`)
  } else if (command === 'on') {
    resumeSession(project)
    print(`Enforcement is on in ${project.root}, level ${effectiveLevel(config, readState(project))}.`)
  } else {
    stopSession(project, now)
    print(`Session ended in ${project.root}; no phase is in force. tutti-tdd start begins another.`)
  }
}
