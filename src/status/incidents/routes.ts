import { Type } from 'typebox'
import { type Access, type HttpServer, offsetOf, pageQuery } from '#kernel/http'
import type { Idempotency } from '#kernel/idempotency'
import { configurationRate } from '../api.ts'
import { ServiceNameSchema } from '../routes/schemas.ts'
import { type Incident, type IncidentUpdate, incidentKinds } from './incident.ts'
import type { Incidents, IncidentWithUpdates } from './incidents.ts'
import { normaliseLines, readChange, readNewIncident, readNewUpdate } from './read-request.ts'
import {
  CloseBody,
  IncidentChangeBody,
  IncidentList,
  IncidentResponse,
  NewIncidentBody,
  NewUpdateBody,
  RemovedIncident,
} from './schemas.ts'

interface IncidentRoutesOptions {
  readonly incidents: Incidents
  readonly idempotency: Pick<Idempotency, 'workIdOf'>
}

const path = '/admin/llm/incidents'
const access = { permission: 'administer llm' } as const satisfies Access
const params = Type.Object({ id: Type.String({ format: 'uuid', description: 'Id of the incident.' }) })
const reads = { access }
const writes = { access, ratePolicy: configurationRate }

const listQuery = Type.Object(
  {
    kind: Type.Optional(Type.Enum([...incidentKinds])),
    status: Type.Optional(
      Type.Enum(['open', 'closed'], { description: 'Maintenance is open until it ends.' }),
    ),
    service: Type.Optional(ServiceNameSchema),
    ...pageQuery,
  },
  { additionalProperties: false },
)

/** Incidents and maintenance, for operators. */
export function addIncidentRoutes(
  routes: HttpServer,
  { incidents, idempotency }: IncidentRoutesOptions,
): void {
  routes.get(
    path,
    {
      config: reads,
      schema: {
        operationId: 'listIncidents',
        summary: 'List incidents and maintenance',
        querystring: listQuery,
        response: { 200: IncidentList },
      },
    },
    async ({ query }) => {
      const { page: _, ...filter } = query
      const found = await incidents.list({ ...filter, offset: offsetOf(query) })
      return { incidents: found.incidents.map(describeListed), total: found.total }
    },
  )

  routes.get(
    `${path}/:id`,
    {
      config: reads,
      schema: {
        operationId: 'readIncident',
        summary: 'Get an incident',
        params,
        response: { 200: IncidentResponse },
      },
    },
    async (request) => describeIncident(await incidents.read(request.params.id)),
  )

  routes.post(
    path,
    {
      config: { ...writes, idempotent: true },
      schema: {
        operationId: 'openIncident',
        summary: 'Open an incident or announce maintenance',
        description:
          'The prober adds its findings about the services of an open incident to that incident and opens no second one. During maintenance with the impact `maintenance` it opens no incidents for the services concerned.',
        body: NewIncidentBody,
        response: { 201: IncidentResponse },
      },
    },
    async (request, reply) => {
      const input = readNewIncident(request.body, idempotency.workIdOf(request), new Date())
      const entry = await incidents.open(input, request.principal.id)
      return reply.code(201).header('location', `${path}/${entry.incident.id}`).send(describeIncident(entry))
    },
  )

  routes.patch(
    `${path}/:id`,
    {
      config: writes,
      schema: {
        operationId: 'changeIncident',
        summary: 'Change an incident',
        description:
          'Fields that are left out stay unchanged. Of a closed incident only the title can be changed. The prober changes the impact of incidents it opened.',
        params,
        body: IncidentChangeBody,
        response: { 200: IncidentResponse },
      },
    },
    async ({ principal, params: { id }, body }) => {
      const { incident } = await incidents.read(id)
      return describeIncident(await incidents.change(id, readChange(body, incident.kind), principal.id))
    },
  )

  routes.post(
    `${path}/:id/updates`,
    {
      config: writes,
      schema: {
        operationId: 'updateIncident',
        summary: 'Add an update to an incident',
        description:
          'The state `resolved` closes the incident. A closed incident accepts messages, but its state and impact stay.',
        params,
        body: NewUpdateBody,
        response: { 201: IncidentResponse },
      },
    },
    async ({ principal, params: { id }, body }, reply) => {
      const { incident } = await incidents.read(id)
      const entry = await incidents.update(id, readNewUpdate(body, incident.kind), principal.id)
      return reply.code(201).send(describeIncident(entry))
    },
  )

  routes.post(
    `${path}/:id/close`,
    {
      config: writes,
      schema: {
        operationId: 'closeIncident',
        summary: 'Close an incident or end maintenance early',
        description:
          'Maintenance that has not started is cancelled. If the prober opened the incident and the service is still not online, it adds no more updates until the service has recovered.',
        params,
        body: CloseBody,
        response: { 200: IncidentResponse },
      },
    },
    async ({ principal, params: { id }, body }) => {
      const message = body?.message === undefined ? undefined : normaliseLines(body.message)
      return describeIncident(await incidents.close(id, message, principal.id))
    },
  )

  routes.delete(
    `${path}/:id`,
    {
      config: writes,
      schema: {
        operationId: 'removeIncident',
        summary: 'Remove an incident',
        description: 'For incidents opened by mistake; close an incident that has ended instead.',
        params,
        response: { 200: RemovedIncident },
      },
    },
    async ({ principal, params: { id } }) => {
      await incidents.remove(id, principal.id)
      return { success: true as const, id }
    },
  )
}

/** An incident with all its updates. */
function describeIncident({ incident, updates }: IncidentWithUpdates) {
  return { ...describeFields(incident), updates: updates.map(describeUpdate) }
}

/** An incident in a list, with its latest update. */
function describeListed({ incident, updates: [latest] }: IncidentWithUpdates) {
  return {
    ...describeFields(incident),
    latest_update: latest === undefined ? null : describeUpdate(latest),
  }
}

function describeFields(incident: Incident) {
  return {
    id: incident.id,
    kind: incident.kind,
    title: incident.title,
    impact: incident.impact,
    services: [...incident.services],
    state: incident.state,
    opened_by: incident.openedBy,
    account_id: incident.accountId,
    opened_at: incident.openedAt.toISOString(),
    updated_at: incident.updatedAt.toISOString(),
    closed_at: incident.closedAt?.toISOString() ?? null,
    starts_at: incident.startsAt?.toISOString() ?? null,
    ends_at: incident.endsAt?.toISOString() ?? null,
  }
}

function describeUpdate(update: IncidentUpdate) {
  return {
    id: update.id,
    state: update.state,
    impact: update.impact,
    message: update.message,
    written_by: update.writtenBy,
    account_id: update.accountId,
    created_at: update.createdAt.toISOString(),
  }
}
