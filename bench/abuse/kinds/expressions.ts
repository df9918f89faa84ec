import { cancelExecutions } from '../cancel-executions.ts'
import { executeFlow } from '../flows.ts'
import type { Kind } from '../kind.ts'

/** One entry takes about 0.15 s; all take about half of the 10 s that a transformation may take, so that it ends on a busy machine too. */
const slowExpression = `"${'a'.repeat(24)}!".matches("^(a+)+$")`
const entries = 32

/** Four transformations of about 5 s each; a normal account tries out an expression that takes no time. */
export const expressions: Kind = {
  name: 'expressions',
  async prepare({ abuser, addAccount }) {
    await abuser.saveFlow('slow', {
      id: 'transform',
      type: 'data_transform',
      transformations: [{ operation: 'map', source: 'list', expression: slowExpression }],
    })
    const account = await addAccount()
    const list = Array.from({ length: entries }, (_, index) => index)
    return {
      abuse: [{ path: executeFlow, body: { flow_id: 'slow', context: { list } }, loops: 4 }],
      operations: [
        async ({ call }) => {
          const path = '/ai-workflows/api/flows/expressions/evaluate'
          const response = await call(account, path, { expression: '[1, 2, 3].map(x, x * 2)' })
          const { problem } = (await response.json()) as { problem: object | null }
          if (problem !== null) throw new Error(`the expression failed: ${JSON.stringify(problem)}`)
        },
      ],
      afterAbuse: () => cancelExecutions(abuser),
    }
  },
}
