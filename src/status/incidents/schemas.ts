import { type Static, Type } from 'typebox'
import { oneLine } from '#kernel/http'
import { ServiceNameSchema } from '../routes/schemas.ts'
import {
  authors,
  incidentImpacts,
  incidentKinds,
  incidentStates,
  maintenanceImpacts,
  maintenanceStates,
} from './incident.ts'

const moment = (description: string) => Type.String({ format: 'date-time', description })
const maybeMoment = (description: string) =>
  Type.Unsafe<string | null>({ type: 'string', format: 'date-time', nullable: true, description })
const maybeText = (description: string) =>
  Type.Unsafe<string | null>({ type: 'string', nullable: true, description })

const allStates = [...incidentStates, ...maintenanceStates]
const allImpacts = [...incidentImpacts, 'maintenance'] as const

const Title = Type.String({
  minLength: 1,
  maxLength: 200,
  ...oneLine,
  description: 'One line, shown publicly.',
})

const Message = Type.String({
  minLength: 1,
  maxLength: 5000,
  pattern: '^(?:[^\\p{Cc}]|[\\n\\r\\t])*$',
  'x-means': 'must be text without control characters',
  description: 'Plain text, shown publicly.',
})

const maxServices = 100

const Services = Type.Array(ServiceNameSchema, {
  uniqueItems: true,
  maxItems: maxServices,
  description: 'The affected services; may be empty.',
})

const Impact = Type.Enum([...allImpacts], {
  description:
    'Of an incident: `none`, `degraded` or `down`. Of maintenance: `maintenance`, or `none` when users will notice nothing.',
})

const Moment = Type.String({ format: 'date-time', maxLength: 40 })

export const NewIncidentBody = Type.Object(
  {
    kind: Type.Optional(Type.Enum([...incidentKinds], { description: 'Default: incident.' })),
    title: Title,
    message: Message,
    impact: Type.Optional(Impact),
    services: Type.Optional(Services),
    state: Type.Optional(
      Type.Enum(['investigating', 'identified', 'monitoring'], {
        description: 'Of an incident; default: investigating. The state of maintenance follows its schedule.',
      }),
    ),
    starts_at: Type.Optional({ ...Moment, description: 'Of maintenance; default: now.' }),
    ends_at: Type.Optional({
      ...Moment,
      description: 'Required for maintenance; within 30 days of its start.',
    }),
  },
  { additionalProperties: false },
)

export const IncidentChangeBody = Type.Object(
  {
    title: Type.Optional(Title),
    impact: Type.Optional(Impact),
    services: Type.Optional(Services),
    starts_at: Type.Optional({ ...Moment, description: 'Of maintenance that has not started.' }),
    ends_at: Type.Optional({ ...Moment, description: 'Of maintenance that has not ended.' }),
  },
  { additionalProperties: false, minProperties: 1 },
)

export const NewUpdateBody = Type.Object(
  {
    message: Message,
    state: Type.Optional(
      Type.Enum([...incidentStates], { description: 'Of an incident; `resolved` closes it.' }),
    ),
    impact: Type.Optional(Impact),
  },
  { additionalProperties: false },
)

export const CloseBody = Type.Unsafe<{ readonly message?: string } | null | undefined>({
  ...Type.Object({ message: Type.Optional(Message) }, { additionalProperties: false }),
  nullable: true,
})

export type NewIncidentBody = Static<typeof NewIncidentBody>
export type IncidentChangeBody = Static<typeof IncidentChangeBody>
export type NewUpdateBody = Static<typeof NewUpdateBody>

const IncidentUpdate = Type.Object({
  id: Type.Integer(),
  state: Type.Enum([...allStates], { description: 'From this update on.' }),
  impact: Type.Enum([...allImpacts], { description: 'From this update on.' }),
  message: Type.String(),
  written_by: Type.Enum([...authors], { description: '`prober`: the platform’s own checks.' }),
  account_id: maybeText('The account that wrote it; null for the prober.'),
  created_at: moment('When the update was written.'),
})

const incidentFields = {
  id: Type.String({ format: 'uuid' }),
  kind: Type.Enum([...incidentKinds]),
  title: Type.String(),
  impact: Type.Enum([...allImpacts]),
  services: Type.Array(Type.String()),
  state: Type.Enum([...allStates], { description: 'The state of maintenance follows its schedule.' }),
  opened_by: Type.Enum([...authors]),
  account_id: maybeText('The account that opened it; null for the prober.'),
  opened_at: moment('When it was opened.'),
  updated_at: moment('When it was last updated or changed.'),
  closed_at: maybeMoment('Null while it is open.'),
  starts_at: maybeMoment('Planned period of maintenance; null for an incident.'),
  ends_at: maybeMoment('Planned period of maintenance; null for an incident.'),
}

export const IncidentResponse = Type.Object(
  {
    ...incidentFields,
    updates: Type.Array(IncidentUpdate, { description: 'The newest first.' }),
  },
  { description: 'An incident or maintenance.' },
)

export const IncidentList = Type.Object(
  {
    incidents: Type.Array(
      Type.Object({
        ...incidentFields,
        latest_update: Type.Union([IncidentUpdate, Type.Null()], { description: 'The latest update.' }),
      }),
    ),
    total: Type.Integer({ description: 'Number of incidents on all pages.' }),
  },
  { description: 'A page of incidents, the newest first.' },
)

export const RemovedIncident = Type.Object(
  { success: Type.Literal(true), id: Type.String() },
  { description: 'The incident is removed, also from the status page and its feed.' },
)

/** The allowed impacts of each kind. */
export const impactsOf = { incident: incidentImpacts, maintenance: maintenanceImpacts } as const
