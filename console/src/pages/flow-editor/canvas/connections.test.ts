import { describe, expect, test } from 'vitest'
import { type DraftEdge, edgesOf } from '../document/edges.ts'
import { type DraftStep, emptyDocument, type FlowDocument, stepIn } from '../document/flow-document.ts'
import { plainHandle } from './branches.ts'
import { describeLine, refusalOf, roleInOption, withConnection, withOtherRole } from './connections.ts'
import { drawnId } from './drawn-id.ts'

function flowOf(...steps: readonly DraftStep[]): FlowDocument {
  return { ...emptyDocument, definition: { ...emptyDocument.definition, steps } }
}

const plain = (id: string, ...dependencies: readonly string[]): DraftStep => ({
  id,
  type: 'data_transform',
  ...(dependencies.length === 0 ? {} : { dependencies }),
})

const otherwise = drawnId('["default_action"]')
const first = drawnId('["conditions",0]')
const risky = drawnId('["routing_options","risky"]')

describe('a connection', () => {
  test('from the end of a step adds a dependency, once', () => {
    const flow = withConnection(flowOf(plain('a'), plain('b')), { from: 'a', handle: plainHandle, to: 'b' })
    expect(stepIn(flow, 'b')?.['dependencies']).toEqual(['a'])
    expect(withConnection(flow, { from: 'a', handle: plainHandle, to: 'b' })).toEqual(flow)
  })

  test('from a condition writes the target, by the type of its action', () => {
    const decide: DraftStep = {
      id: 'decide',
      type: 'conditional',
      conditions: [{ field: 'x', operator: 'exists', action: { type: 'jump_to_step', target_step: 'a' } }],
    }
    const flow = flowOf(decide, plain('a'), plain('b'))
    const jumped = withConnection(flow, { from: 'decide', handle: first, to: 'b' })
    expect(stepIn(jumped, 'decide')?.['conditions']).toMatchObject([
      { action: { type: 'jump_to_step', target_step: 'b' } },
    ])
    const both = withConnection(jumped, { from: 'decide', handle: otherwise, to: 'a' })
    expect(stepIn(both, 'decide')?.['default_action']).toEqual({ type: 'continue', next_step: 'a' })
    expect(describeLine(both, { from: 'decide', handle: first, to: 'b' })).toBe('decide to b when x exists')
  })

  test('from an option continues with the first target, and adds every further one', () => {
    const route: DraftStep = { id: 'route', type: 'ai_prompt', routing_options: { risky: {} } }
    let flow = flowOf(route, plain('a'), plain('b'))
    flow = withConnection(flow, { from: 'route', handle: risky, to: 'a' })
    flow = withConnection(flow, { from: 'route', handle: risky, to: 'b' })
    expect(stepIn(flow, 'route')?.['routing_options']).toEqual({
      risky: { continue_to: 'a', add_steps: ['b'] },
    })
    expect(withConnection(flow, { from: 'route', handle: risky, to: 'b' })).toEqual(flow)
  })

  test('that would close a cycle is refused with a reason, also through edges an option implies', () => {
    const route: DraftStep = {
      id: 'route',
      type: 'ai_prompt',
      routing_options: { risky: { continue_to: 'a' } },
    }
    const flow = flowOf(route, plain('a'), plain('b', 'a'), plain('c', 'b'))
    expect(refusalOf(flow, { from: 'c', handle: plainHandle, to: 'a' })).toContain('a runs before c')
    expect(refusalOf(flow, { from: 'c', handle: plainHandle, to: 'c' })).toContain('after itself')
    expect(refusalOf(flow, { from: 'a', handle: plainHandle, to: 'c' })).toBeNull()
    // Steps an option adds run before a, and b runs after it.
    expect(refusalOf(flow, { from: 'route', handle: risky, to: 'b' })).toContain('cycle')
    expect(withConnection(flow, { from: 'route', handle: risky, to: 'b' })).toBe(flow)
  })
})

function edgeTo(document: FlowDocument, id: string): DraftEdge {
  const edge = edgesOf(document.definition.steps).find(({ to, said }) => to === id && said !== null)
  if (edge === undefined) throw new Error(`no line to ${id}`)
  return edge
}

describe('the role of an edge of an option', () => {
  const route: DraftStep = {
    id: 'route',
    type: 'ai_prompt',
    routing_options: { risky: { add_steps: ['a'], continue_to: 'b' } },
  }
  const flow = flowOf(route, plain('a'), plain('b'))
  test('can be switched there and back', () => {
    expect(roleInOption(edgeTo(flow, 'b'))).toBe('goes on')
    const added = withOtherRole(flow, edgeTo(flow, 'b'))
    expect(stepIn(added, 'route')?.['routing_options']).toEqual({ risky: { add_steps: ['a', 'b'] } })
    const back = withOtherRole(added, edgeTo(added, 'b'))
    expect(stepIn(back, 'route')?.['routing_options']).toEqual({
      risky: { add_steps: ['a'], continue_to: 'b' },
    })
  })

  test('switched to "continues with", moves the previous target to the added steps', () => {
    const switched = withOtherRole(flow, edgeTo(flow, 'a'))
    expect(stepIn(switched, 'route')?.['routing_options']).toEqual({
      risky: { continue_to: 'a', add_steps: ['b'] },
    })
  })

  test('stays as it is where the other role would close a cycle', () => {
    const waiting = flowOf(route, plain('a'), plain('b', 'a'))
    expect(withOtherRole(waiting, edgeTo(waiting, 'a'))).toBe(waiting)
  })
})
