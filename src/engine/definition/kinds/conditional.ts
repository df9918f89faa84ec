import { type Static, Type } from 'typebox'
import type { Problem } from '#kernel/errors'
import { describeTest, leavesOf, readTest } from '../../expressions/conditions.ts'
import { evaluateInline } from '../../expressions/evaluate.ts'
import { lookUp, type Scope } from '../../expressions/paths.ts'
import { type Action, action, Condition, common } from '../common-step.ts'
import { checkCondition } from './check-values.ts'
import type { Branch, StepKind, Target } from './step-kind.ts'
import { inCondition } from './used-paths.ts'

const schema = Type.Object(
  {
    ...common,
    type: Type.Literal('conditional', { description: 'Compares values and decides which steps run.' }),
    conditions: Type.Array(Condition, {
      minItems: 1,
      maxItems: 100,
      description: 'Evaluated in order. The first true condition decides.',
    }),
    default_action: Type.Optional(
      action('The action when no condition is true. Default: the flow continues along its edges.'),
    ),
  },
  { additionalProperties: false, description: 'Takes the action of the first true condition.' },
)

export type ConditionalStep = Static<typeof schema>

export const conditional = {
  type: 'conditional',
  plural: 'Conditional steps',
  schema,
  traits: {
    pure: true,
    callsModels: false,
    sendsPrompt: false,
    callsServices: false,
    decides: 'always',
    validatesOutput: false,
  },
  phase: 'evaluating_conditions',
  check: checkConditional,
  pathsUsed: ({ conditions }) =>
    conditions.flatMap((condition, index) => inCondition(condition, `conditions[${index}]`)),
  branches: branchesOf,
  references: referencesOf,
  describeInput: ({ conditions }, scope) => ({
    compared: conditions.flatMap((condition) =>
      leavesOf(readTest(condition), '').map(({ leaf }) => describeLeaf(leaf, scope)),
    ),
  }),
} as const satisfies StepKind<ConditionalStep>

/** An expression that would need a thread is not evaluated for the trace. */
function describeLeaf(
  leaf: ReturnType<typeof leavesOf>[number]['leaf'],
  scope: Scope,
): Readonly<Record<string, unknown>> {
  if (leaf.kind === 'expression') {
    const evaluated = evaluateInline(leaf.source, scope)
    return { expression: leaf.source, found: evaluated?.kind === 'value' ? evaluated.value : null }
  }
  const { field, operator, value } = leaf.comparison
  return { field, operator, value: value ?? null, found: lookUp(scope, field) ?? null }
}

function checkConditional(step: ConditionalStep, place: string): Problem[] {
  return [
    ...step.conditions.flatMap((condition, index) => [
      ...checkCondition(condition, `${place}.conditions[${index}]`),
      ...checkAction(condition.action, `${place}.conditions[${index}].action`),
    ]),
    ...(step.default_action === undefined ? [] : checkAction(step.default_action, `${place}.default_action`)),
  ]
}

function checkAction({ type, next_step, target_step }: Action, place: string): Problem[] {
  if (type === 'jump_to_step' && target_step === undefined) {
    return [{ path: `${place}.target_step`, message: 'is required with "jump_to_step"', code: 'required' }]
  }
  if (type === 'jump_to_step' && next_step !== undefined) {
    return [
      {
        path: `${place}.next_step`,
        message: 'has no effect on "jump_to_step"; it has target_step',
        code: 'no_effect',
      },
    ]
  }
  if (type === 'continue' && target_step !== undefined) {
    return [
      {
        path: `${place}.target_step`,
        message: 'has no effect on "continue"; it has next_step',
        code: 'no_effect',
      },
    ]
  }
  return []
}

function branchesOf({ conditions, default_action: otherwise }: ConditionalStep): Branch[] {
  return [
    ...conditions.map((condition, index) =>
      branchOf(condition.action, `conditions[${index}].action`, () => describeTest(condition)),
    ),
    branchOf(otherwise ?? { type: 'continue' }, 'default_action', () => 'otherwise'),
  ]
}

function branchOf({ type, next_step, target_step }: Action, at: string, label: Branch['label']): Branch {
  const jumps = type === 'jump_to_step'
  const [field, id] = jumps ? ['target_step', target_step] : ['next_step', next_step]
  return { label, adds: [], next: id === undefined ? undefined : { path: `${at}.${field}`, id }, jumps }
}

/** Also the steps in fields that have no effect on the type of their action. */
function referencesOf({ conditions, default_action: otherwise }: ConditionalStep): Target[] {
  return [
    ...conditions.flatMap(({ action: taken }, index) => namedIn(taken, `conditions[${index}].action`)),
    ...(otherwise === undefined ? [] : namedIn(otherwise, 'default_action')),
  ]
}

function namedIn({ next_step, target_step }: Action, at: string): Target[] {
  return [
    ...(next_step === undefined ? [] : [{ path: `${at}.next_step`, id: next_step }]),
    ...(target_step === undefined ? [] : [{ path: `${at}.target_step`, id: target_step }]),
  ]
}
