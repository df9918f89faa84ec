import { randomUUID } from 'node:crypto'
import { createOutbound } from '#kernel/outbound'
import { createStepExecutor } from '../../src/engine/steps/run-step.ts'
import { createBuiltinProvider } from '../../src/models/builtin/builtin-provider.ts'
import { createSchemaChecker } from '../../src/models/structured/schema-checker.ts'
import { createGenerateJson } from '../../src/models/structured/structured-output.ts'
import { openGatewayScene, startOpenAi } from '../http/models-gateway-core-scene.ts'
import type { OpenAiServer } from '../support/openai-server.ts'
import { openEngineScene } from './engine-setting.ts'
import { quiet } from './models-accounting.ts'

/** The end of an execution, and the outputs of its steps. */
interface Ran {
  readonly status: string
  readonly error: unknown
  /** By step; `null` for skipped steps. */
  readonly outputs: Readonly<Record<string, unknown>>
  /** Steps that ran, in the order they ended. */
  readonly ran: readonly string[]
  readonly warnings: readonly string[]
}

/** The built-in flows on a real engine, with the model `builtin` and optionally a language model. */
export interface BuiltInScene extends AsyncDisposable {
  /** The test scripts the responses of the language model. */
  readonly openai: OpenAiServer | undefined
  run(flowId: string, context: object, more?: object): Promise<Ran>
}

export async function openBuiltInScene({ languageModel = false } = {}): Promise<BuiltInScene> {
  await using opening = new AsyncDisposableStack()
  const checker = opening.use(createSchemaChecker())
  const openai = languageModel ? opening.use(await startOpenAi()) : undefined
  const builtin = createBuiltinProvider({ checker })
  const { gateway } = opening.use(
    await openGatewayScene({
      providers: openai === undefined ? [builtin] : [openai.provider, builtin],
      ...(openai !== undefined && { openaiDefaultModel: 'gpt-4o-mini' }),
    }),
  )
  const scene = opening.use(await openEngineScene())
  const { engine, worker } = await scene.startProcess({
    runStep: createStepExecutor({
      gateway,
      askForJson: createGenerateJson({ gateway, checker }),
      schemas: checker,
      outbound: createOutbound({ allow: [], log: quiet }),
      providerNames: async () => [],
      builtinRole: async () =>
        openai === undefined
          ? { kind: 'only', withoutDefault: [] }
          : { kind: 'fallback', others: ['openai'], withoutDefault: [] },
    }),
  })
  await engine.flows.seedBuiltIn()
  const opened = opening.move()
  return {
    openai: openai?.server,
    async run(flowId, context, more = {}) {
      const { version } = await engine.flows.read(flowId)
      const { id, end } = await engine.executions.start(
        {
          flowId,
          flowVersion: version,
          accountId: randomUUID(),
          priority: 'normal',
          input: { context: { ...context }, options: {}, memory: {}, ...more },
        },
        worker,
      )
      await end
      const record = await engine.executions.read(id)
      if (record === undefined) throw new Error('the execution is gone')
      const outcomes = record.outcomes.map(({ stepId, item, state, output }) => ({
        name: record.input.batch === undefined ? stepId : `${item}.${stepId}`,
        output: state === 'completed' ? output : null,
        ran: state !== 'skipped',
      }))
      return {
        status: record.status,
        error: record.error,
        outputs: Object.fromEntries(outcomes.map(({ name, output }) => [name, output])),
        ran: outcomes.filter(({ ran }) => ran).map(({ name }) => name),
        warnings: record.events
          .filter(({ type, data }) => type === 'log' && data['level'] === 'warning')
          .map(({ data }) => nameOf(data) ?? String(data['message'])),
      }
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

function nameOf(data: Readonly<Record<string, unknown>>): string | undefined {
  const { warning } = (data['details'] ?? {}) as { readonly warning?: string }
  return warning
}
