import { Type } from 'typebox'
import { type Access, type HttpServer, offsetOf, pageQuery } from '#kernel/http'
import type { Idempotency } from '#kernel/idempotency'
import { configurationRate } from '../api.ts'
import { serviceNames } from '../services/service.ts'
import { type Incident, type IncidentUpdate, incidentKinds } from './incident.ts'
import type { Incidents, ToldIncident } from './incidents.ts'
import { plainLines, readChange, readNewIncident, readNewUpdate } from './read-request.ts'
import {
  CloseBody,
  IncidentAnswer,
  IncidentChangeBody,
  IncidentList,
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
const params = Type.Object({ id: Type.String({ format: 'uuid', description: 'Of the incident.' }) })
const reads = { access }
const writes = { access, ratePolicy: configurationRate }

const listQuery = Type.Object(
  {
    kind: Type.Optional(Type.Enum([...incidentKinds])),
    status: Type.Optional(
      Type.Enum(['open', 'closed'], { description: 'Maintenance is open until it is over.' }),
    ),
    service: Type.Optional(Type.Enum([...serviceNames])),
    ...pageQuery,
  },
  { additionalProperties: false },
)

/** Incidents and maintenance, for those who run the platform. */
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
        summary: 'Read an incident',
        params,
        response: { 200: IncidentAnswer },
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
        summary: 'Open an incident, or announce maintenance',
        description:
          'The prober adds what it finds about the services of an open incident to it, and opens none of its own for them. While maintenance with the impact `maintenance` is under way it opens none for its services at all.',
        body: NewIncidentBody,
        response: { 201: IncidentAnswer },
      },
    },
    async (request, reply) => {
      const wish = readNewIncident(request.body, idempotency.workIdOf(request), new Date())
      const told = await incidents.open(wish, request.principal.id)
      return reply.code(201).header('location', `${path}/${told.incident.id}`).send(describeIncident(told))
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
          'What is not named stays as it is. Of one that is closed only the title can be changed. The prober changes the impact of those it opened.',
        params,
        body: IncidentChangeBody,
        response: { 200: IncidentAnswer },
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
        summary: 'Say how an incident goes on',
        description:
          'With the state `resolved` it is closed. One that is closed can be added to, but its state and impact stay.',
        params,
        body: NewUpdateBody,
        response: { 201: IncidentAnswer },
      },
    },
    async ({ principal, params: { id }, body }, reply) => {
      const { incident } = await incidents.read(id)
      const told = await incidents.update(id, readNewUpdate(body, incident.kind), principal.id)
      return reply.code(201).send(describeIncident(told))
    },
  )

  routes.post(
    `${path}/:id/close`,
    {
      config: writes,
      schema: {
        operationId: 'closeIncident',
        summary: 'Close an incident, or end maintenance early',
        description:
          'Maintenance that has not begun is called off. When the service of an incident that the prober opened is still not well, it says no more about it until the service is.',
        params,
        body: CloseBody,
        response: { 200: IncidentAnswer },
      },
    },
    async ({ principal, params: { id }, body }) => {
      const message = body?.message === undefined ? undefined : plainLines(body.message)
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
        description: 'For one that should never have been there; what is over is closed instead.',
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

/** An incident in the words of the interface, with all that was said. */
function describeIncident({ incident, updates }: ToldIncident) {
  return { ...describeFields(incident), updates: updates.map(describeUpdate) }
}

/** The same for a list: with the last that was said. */
function describeListed({ incident, updates: [latest] }: ToldIncident) {
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
