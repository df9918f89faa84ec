import { expect, test } from 'vitest'
import { edgesOf } from './edges.ts'
import {
  addStep,
  connect,
  disconnect,
  moveStep,
  pasteSteps,
  placeSteps,
  removeSteps,
  renameStep,
  replaceDefinition,
  setFlowValue,
  setStepValue,
} from './edits.ts'
import { emptyDocument, type FlowDocument, readDefinition, stepIn } from './flow-document.ts'
import { createFlowEditor } from './flow-editor.ts'
import { type Json, valueAt } from './json.ts'
import { referencesOf } from './references.ts'
import { allSteps, stepsOf } from './scopes.ts'
import { isContainer, newStep, stepKinds } from './step-kinds.ts'

/** Pseudo-random numbers, the same for the same seed. */
function dice(seed: number) {
  let state = seed
  return (sides: number): number => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return Math.floor((state / 4_294_967_296) * sides)
  }
}

type Edit = (document: FlowDocument) => FlowDocument

/** A random edit a user could make. */
function anyEdit(document: FlowDocument, roll: (sides: number) => number): Edit {
  const all = allSteps(document.definition.steps)
  const some = () => all[roll(all.length)]?.id ?? ''
  const scopes = [null, ...all.filter(isContainer).map(({ id }) => id)]
  const scope = scopes[roll(scopes.length)] ?? null
  const steps = stepsOf(document, scope)
  const edges = edgesOf(steps)
  const edits: readonly Edit[] = [
    (it) =>
      addStep(it, newStep(stepKinds[roll(stepKinds.length)] ?? stepKinds[0], it.definition), {
        after: steps[roll(steps.length + 1)]?.id,
        within: scope,
      }),
    (it) => removeSteps(it, [some(), some()]),
    (it) => renameStep(it, some(), `named_${roll(6)}`),
    (it) => moveStep(it, some(), roll(steps.length)),
    (it) => connect(it, some(), some()),
    (it) => connect(it, some(), some(), ['routing_options', `option ${roll(3)}`, 'continue_to']),
    (it) => connect(it, some(), some(), ['default_action', 'next_step']),
    (it) => disconnect(it, edges[roll(edges.length)] ?? { said: null }),
    (it) =>
      pasteSteps(it, steps.slice(roll(steps.length)).slice(0, 3), {
        within: scopes[roll(scopes.length)] ?? null,
      }).document,
    (it) => placeSteps(it, new Map([[some(), { x: roll(100), y: roll(100) }]])),
    (it) => setStepValue(it, some(), ['prompt'], `{{steps.${some()}.score}}`),
    (it) => setFlowValue(it, ['label'], `Flow ${roll(9)}`),
    (it) => replaceDefinition(it, JSON.parse(JSON.stringify(it.definition)) as typeof it.definition),
  ]
  return edits[roll(edits.length)] ?? ((it) => it)
}

test('after random edits, undo goes back through every state and redo forth again', () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const roll = dice(seed)
    let now = 0
    const editor = createFlowEditor({ saved: emptyDocument, now: () => now })
    const stops = [editor.read().document]
    for (let count = 0; count < 60; count += 1) {
      now += 5_000
      const before = editor.read()
      editor.change({ what: 'something' }, anyEdit(before.document, roll))
      const { document } = editor.read()
      expectWhole(document)
      const { scope, steps, selected } = editor.read()
      expect(steps).toBe(stepsOf(document, scope))
      for (const id of selected) expect(stepIn(document, id)).toBeDefined()
      const step = allSteps(document.definition.steps).find(isContainer)
      if (roll(3) === 0) editor.open(step?.id ?? null)
      if (JSON.stringify(document) !== JSON.stringify(stops.at(-1))) stops.push(document)
    }
    const seen = [editor.read().document]
    while (editor.undo() !== undefined) seen.unshift(editor.read().document)
    expect(seen).toEqual(stops)
    expect(editor.read().isChanged).toBe(false)
    while (editor.redo() !== undefined);
    expect(editor.read().document).toEqual(stops.at(-1))
  }
})

/** The invariants of every draft. */
function expectWhole({ definition, metadata }: FlowDocument): void {
  expect(readDefinition(JSON.parse(JSON.stringify(definition)) as Json)).toEqual(definition)
  const document = { definition, metadata }
  const containers = allSteps(definition.steps).filter(isContainer)
  for (const scope of [null, ...containers.map(({ id }) => id)]) {
    const steps = stepsOf(document, scope)
    for (const { said, from, to } of edgesOf(steps)) {
      if (said === null) continue
      const named = valueAt(stepIn(document, said.step), said.path)
      expect([from, to]).toContain(named)
    }
    const known = new Set(steps.map(({ id }) => id))
    for (const step of steps) {
      for (const { to } of referencesOf(step)) expect(known.has(to)).toBe(true)
    }
  }
}
