import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { checkTimeoutMs } from '../git/run-git.ts'
import type { AgentSetup } from '../init/setup.ts'
import type { Project } from '../project/locate.ts'
import { emptyState } from '../state/state.ts'

export interface Proof {
  readonly fires: boolean
  /** The actual outcome. */
  readonly instead: string
}

/**
 * Calls the hook like the assistant, for a file in a temporary project that is in RED, and checks that the
 * edit is refused. The examined project is not changed.
 */
export function prove(project: Project, setup: AgentSetup, command: string): Proof {
  const sandbox = realpathSync(mkdtempSync(`${tmpdir()}/tutti-tdd-proof-`)).replaceAll('\\', '/')
  try {
    mkdirSync(`${sandbox}/.tdd`)
    const now = new Date().toISOString()
    const state = {
      ...emptyState,
      session: { startedAt: now },
      packages: { '.': { phase: 'RED', feature: '', since: now } },
    }
    writeFileSync(`${sandbox}/.tdd/state.json`, JSON.stringify(state))
    const { stdout, stderr, status, error } = spawnSync(command, {
      shell: true,
      cwd: project.root,
      encoding: 'utf8',
      timeout: checkTimeoutMs,
      input: JSON.stringify(setup.proofInput(`${sandbox}/src/proof.ts`, sandbox)),
      env: { ...process.env, CLAUDE_PROJECT_DIR: project.root, GEMINI_PROJECT_DIR: project.root },
      windowsHide: true,
    })
    if (error !== undefined) return { fires: false, instead: error.message }
    const fires = `${stdout}${stderr}`.includes('red-tests-only') && (status === 0 || status === 2)
    const said = stderr.trim() === '' ? stdout.trim() : stderr.trim()
    return {
      fires,
      instead: said === '' ? `it said nothing (exit ${status})` : (said.split('\n')[0]?.slice(0, 300) ?? ''),
    }
  } finally {
    rmSync(sandbox, { recursive: true, force: true })
  }
}
