import { type Project, stateFolder } from '../project/locate.ts'
import { hideFromGit } from './create-folder.ts'
import { forgetLog } from './log.ts'
import type { PackageState } from './state.ts'
import { setAsideUnusable, updateState } from './store.ts'

const rememberedMs = 365 * 24 * 60 * 60 * 1000

/*
 * | command | session | rules                                | phases                                      |
 * |---------|---------|--------------------------------------|---------------------------------------------|
 * | start   | begins  | enforced                             | stay                                        |
 * | off     | stays   | suspended: every edit passes         | stay                                        |
 * | on      | stays   | enforced again                       | stay                                        |
 * | stop    | ends    | as configured                        | unknown; the evidence stays for `validate`  |
 */

/** Begins a session: from now on the rules are enforced strictly unless the team configured another level. */
export function startSession(project: Project, now: Date): { readonly setAside: string | undefined } {
  const setAside = setAsideUnusable(project)
  forgetLog(project, new Date(now.getTime() - rememberedMs))
  updateState(project, (state) => ({
    ...state,
    session: { startedAt: now.toISOString() },
    suspendedAt: undefined,
  }))
  hideFromGit(`${project.root}/${stateFolder}`)
  return { setAside }
}

/** Suspends the rules until `resumeSession` or the next start. */
export function suspendSession(project: Project, now: Date): void {
  updateState(project, (state) => ({ ...state, suspendedAt: state.suspendedAt ?? now.toISOString() }))
}

/** Enforces the rules again. */
export function resumeSession(project: Project): void {
  updateState(project, (state) => ({ ...state, suspendedAt: undefined }))
}

/** Ends the session. */
export function stopSession(project: Project, now: Date): void {
  const since = now.toISOString()
  updateState(project, (state) => ({
    ...state,
    session: undefined,
    suspendedAt: undefined,
    packages: Object.fromEntries(
      Object.entries(state.packages).map(([name, entry]): [string, PackageState] => [
        name,
        { ...entry, phase: 'unknown', feature: '', since },
      ]),
    ),
  }))
}
