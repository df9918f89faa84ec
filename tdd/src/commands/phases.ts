import { effectiveLevel } from '../config/config.ts'
import { phaseTasks } from '../hook/slash-command.ts'
import { enterPhase } from '../state/enter-phase.ts'
import { startSession } from '../state/session.ts'
import { isProven, type Phase, packageInForce } from '../state/state.ts'
import { readState } from '../state/store.ts'
import { notify } from '../team/notify.ts'
import { shareWhenAsked } from './share.ts'
import { CommandFailure, type Surroundings, sceneOf } from './surroundings.ts'

/** `tutti-tdd start`: begins a session; from now on the status goes into prompts and the rules are kept strictly. */
export function start(surroundings: Surroundings, folder: string | undefined): void {
  const { project, packageName, config } = sceneOf(surroundings, folder)
  const { setAside } = startSession(project, surroundings.now)
  if (setAside !== undefined) surroundings.warn(`The old state could not be read; it is kept as ${setAside}.`)
  const state = readState(project)
  const current = packageInForce(state, packageName)
  surroundings.print(`Session started in ${project.root}, level ${effectiveLevel(config, state)}.`)
  surroundings.print(
    current === undefined
      ? 'Next: tutti-tdd red <feature>'
      : `${nameOfPackage(current.name)} still in ${current.state.phase}${forFeature(current.state.feature)}.`,
  )
}

/** `tutti-tdd red|green|refactor [feature]`. */
export function enter(
  surroundings: Surroundings,
  to: Exclude<Phase, 'unknown'>,
  feature: string,
  folder: string | undefined,
): void {
  const { print, now } = surroundings
  const scene = sceneOf(surroundings, folder)
  const { project, packageName, config } = scene
  const entrance = enterPhase(project, { to, package: packageName, feature }, config, now)
  if ('refused' in entrance) throw new CommandFailure(entrance.refused)
  const { entered, state } = entrance
  const { task, next } = phaseTasks[to]
  print(`${to}${forFeature(entered.feature)}${packageName === '.' ? '' : ` (${packageName})`}`)
  print(task)
  if (to === 'GREEN' && config.tdd.requireTestFirst && !isProven(entered))
    print('No run has shown a failing test yet, and `tutti-tdd validate` will say so.')
  if (to === 'RED' && effectiveLevel(config, state) === 'warn' && state.session === undefined)
    print('The hook only warns until a session is started: tutti-tdd start')
  print(`Then: tutti-tdd ${next}`)
  if (config.team.notifications)
    notify({ title: `${to}${forFeature(entered.feature)}`, body: `${project.root}: ${task}` })
  shareWhenAsked(scene, surroundings)
}

function forFeature(feature: string): string {
  return feature === '' ? '' : `, ${feature}`
}

function nameOfPackage(name: string): string {
  return name === '.' ? 'It is' : `${name} is`
}
