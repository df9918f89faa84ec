import { describe, expect, test } from 'vitest'
import type { DraftStep } from '../document/flow-document.ts'
import { referencesOf } from '../document/references.ts'
import { branchesOf, branchOf, handleOfReference, placeOfBranch, plainHandle } from './branches.ts'

const decide: DraftStep = {
  id: 'decide',
  type: 'conditional',
  dependencies: ['first'],
  conditions: [
    { field: 'score', operator: '>=', value: 70, action: { type: 'continue', next_step: 'good' } },
    { field: 'score', operator: '<', value: 10, action: { type: 'jump_to_step', target_step: 'bad' } },
    'half typed',
  ],
  default_action: { type: 'continue', next_step: 'other' },
}

const route: DraftStep = {
  id: 'route',
  type: 'ai_prompt',
  routing_options: {
    risky: { add_steps: ['check', 'ask'], continue_to: 'publish' },
    fine: {},
  },
}

describe('branches', () => {
  test('are every condition and its otherwise branch, and every option', () => {
    expect(branchesOf(decide).map(({ label }) => label)).toEqual([
      'score >= 70',
      'score < 10',
      'condition 3',
      'otherwise',
    ])
    expect(branchesOf(route).map(({ label }) => label)).toEqual(['risky', 'fine'])
    expect(branchesOf({ id: 'x', type: 'external_api', conditions: [{}] })).toEqual([])
    expect(branchesOf({ id: 'x', type: 'conditional', conditions: 'none' })).toHaveLength(1)
  })

  test('have the handle that their edges start at', () => {
    for (const step of [decide, route]) {
      const handles = new Set([plainHandle, ...branchesOf(step).map(({ handle }) => handle)])
      for (const { path } of referencesOf(step)) expect(handles).toContain(handleOfReference(path))
    }
    expect(handleOfReference(['dependencies', 0])).toBe(plainHandle)
    expect(handleOfReference(['routing_options', 'risky', 'add_steps', 1])).toBe(branchesOf(route)[0]?.handle)
  })

  test('have the path where the next edge is written', () => {
    const places = branchesOf(decide).map(({ handle }) => placeOfBranch(decide, handle))
    expect(places).toEqual([
      ['conditions', 0, 'action', 'next_step'],
      ['conditions', 1, 'action', 'target_step'],
      ['conditions', 2, 'action', 'next_step'],
      ['default_action', 'next_step'],
    ])
    expect(branchesOf(route).map(({ handle }) => placeOfBranch(route, handle))).toEqual([
      ['routing_options', 'risky', 'add_steps', 2],
      ['routing_options', 'fine', 'continue_to'],
    ])
    expect(placeOfBranch(decide, plainHandle)).toBeUndefined()
    expect(branchOf(plainHandle)).toBeUndefined()
  })
})
