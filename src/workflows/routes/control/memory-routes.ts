import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import { epochSeconds, readRate, requireAccount, runsWorkflows } from '#runs'
import { workflowsPrefix } from '../../interface.ts'
import { flag, freeForm, integer, maybeInteger, text } from '../../schemas/values.ts'
import type { ControlRoutesOptions } from './control-routes.ts'

const config = { access: runsWorkflows, ratePolicy: readRate } as const
const params = Type.Object({ id: text('The flow.') })

/** What flows remember for an account from one execution to the next. */
export function addMemoryRoutes(routes: HttpServer, { engine }: ControlRoutesOptions): void {
  const path = `${workflowsPrefix}/flows/:id/memory`

  routes.get(
    path,
    {
      config,
      schema: {
        operationId: 'readFlowMemory',
        summary: 'What a flow remembers for you',
        description:
          'A flow with `shared_memory_persistent` begins with what your last completed execution of it left behind. Of two side by side the one that ends last wins. At most 1 MiB is remembered.',
        params,
        response: {
          200: Type.Object(
            {
              success: flag('Always true.'),
              flow_id: Type.String(),
              memory: freeForm('The shared memory by key; empty when nothing is remembered.'),
              size_bytes: integer('What it takes.'),
              updated_at: maybeInteger('Epoch seconds; null when nothing is remembered.'),
            },
            { description: 'What is remembered.' },
          ),
        },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const kept = await engine.memories.read(requireAccount(request.principal), id)
      // A flow that was deleted may have left something behind.
      if (kept === undefined) await engine.flows.read(id)
      return reply.header('cache-control', 'no-store').send({
        success: true,
        flow_id: id,
        memory: kept?.memory ?? {},
        size_bytes: kept?.bytes ?? 0,
        updated_at: kept === undefined ? null : epochSeconds(kept.updatedAt),
      })
    },
  )

  routes.delete(
    path,
    {
      config,
      schema: {
        operationId: 'clearFlowMemory',
        summary: 'Make a flow forget',
        description: 'The next execution of yours begins with nothing. What others are remembered for stays.',
        params,
        response: {
          200: Type.Object(
            {
              success: flag('Nothing is remembered now.'),
              flow_id: Type.String(),
              cleared: flag('Whether there was anything to forget.'),
            },
            { description: 'It is forgotten.' },
          ),
        },
      },
    },
    async (request) => {
      const { id } = request.params
      const cleared = await engine.memories.clear(requireAccount(request.principal), id)
      if (!cleared) await engine.flows.read(id)
      return { success: true, flow_id: id, cleared }
    },
  )
}
