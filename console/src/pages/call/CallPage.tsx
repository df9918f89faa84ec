import { getRouteApi, Link } from '@tanstack/react-router'
import { useApi } from '../../api/api-context.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { Copyable } from '../../parts/Copyable.tsx'
import { type Detail, DetailList } from '../../parts/DetailList.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Page } from '../../parts/Page.tsx'
import { Section, Surface } from '../../parts/Section.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { Status } from '../../parts/Status.tsx'
import { SummaryStrip } from '../../parts/SummaryStrip.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { describeProvider } from '../providers/provider-words.ts'
import {
  countTokens,
  describeTime,
  exactCostOf,
  originDetails,
  outcomeDetails,
  usageDetails,
} from '../usage/call-details.tsx'
import { describeOutcome } from '../usage/call-words.ts'
import { type CallDetails, callDetailsQuery } from '../usage/usage-queries.ts'
import styles from './CallPage.module.css'
import { Answer, Prompt, Tools } from './RecordedContent.tsx'
import { describeReason, describeRouteCode, describeStepOutcome, describeStrategy } from './route-words.ts'

const route = getRouteApi('/usage/calls/$call')

/** One model call: prompt, answer, tools, cost, latency and the route it took. */
export function CallPage() {
  const { call: id } = route.useParams()
  const { data: call, failure, refetch } = useApiQuery(callDetailsQuery(useApi(), id))
  if (call !== undefined) return <LoadedCall call={call} />
  return (
    <Page title="Call">
      {failure === null ? (
        <Surface>
          <Skeleton width={320} />
        </Surface>
      ) : (
        <FailureNotice what="The call could not be loaded." error={failure} onRetry={() => void refetch()} />
      )}
    </Page>
  )
}

function LoadedCall({ call }: { call: CallDetails }) {
  const { content } = call
  return (
    <Page
      title={`Call of ${call.model}`}
      aside={
        <Link to="/usage" search={{ call: call.id }}>
          All calls
        </Link>
      }
    >
      <SummaryStrip
        isLoading={false}
        cells={[
          { name: 'Outcome', value: <Status {...describeOutcome(call.outcome)} />, note: null },
          { name: 'Cost', value: exactCostOf(call), note: null },
          { name: 'Duration', value: describeTime(call.latency_ms), note: null },
          { name: 'First token', value: describeTime(call.first_token_ms), note: null },
          { name: 'Tokens in', value: countTokens(call.input_tokens), note: null },
          { name: 'Tokens out', value: countTokens(call.output_tokens), note: null },
        ]}
      />
      {content === null ? (
        <Section title="Prompt and answer">
          <p className={styles['note']}>
            Prompt and answer of this call are not recorded. An operator turns recording on with
            MODEL_RECORDING; contents are deleted after MODEL_RECORDING_RETENTION.
          </p>
        </Section>
      ) : (
        <>
          <Prompt request={content.request} truncated={content.truncated} />
          <Answer response={content.response} />
          <Tools tools={content.request.tools ?? []} />
        </>
      )}
      <Route steps={call.route} chosen={call.model_route} />
      <Section title="Details">
        <DetailList
          details={[
            ...outcomeDetails(call),
            ...usageDetails(call),
            ...originDetails(call),
            ...furtherDetails(call),
          ]}
        />
      </Section>
    </Page>
  )
}

function furtherDetails({ key, tags, execution_id, step_id, trace_id }: CallDetails): Detail[] {
  return [
    ...(key === null ? [] : [{ name: 'API key', value: <Copyable text={key} what="API key ID" /> }]),
    ...(tags.length === 0 ? [] : [{ name: 'Tags', value: tags.join(', ') }]),
    ...(execution_id === null
      ? []
      : [
          {
            name: 'Execution',
            value: (
              <Link
                to="/executions/$execution"
                params={{ execution: execution_id }}
                search={step_id === null ? {} : { step: step_id }}
              >
                {step_id === null ? execution_id : `Step ${step_id} of ${execution_id}`}
              </Link>
            ),
          },
        ]),
    ...(trace_id === null ? [] : [{ name: 'Trace', value: <Copyable text={trace_id} what="trace ID" /> }]),
  ]
}

type RouteStep = NonNullable<CallDetails['route']>[number] & { readonly number: number }

const routeColumns: ReadonlyArray<Column<RouteStep>> = [
  { title: 'Model', value: ({ model }) => model, cell: ({ model }) => model },
  {
    title: 'Provider',
    value: ({ provider }) => describeProvider(provider),
    minWidth: 72,
    cell: ({ provider }) => describeProvider(provider),
  },
  {
    title: 'Chosen as',
    value: ({ reason }) => describeReason(reason),
    minWidth: 72,
    cell: ({ reason }) => describeReason(reason),
  },
  {
    title: 'Outcome',
    value: ({ outcome }) => describeStepOutcome(outcome).word,
    minWidth: 96,
    cell: ({ outcome }) => <Status {...describeStepOutcome(outcome)} />,
  },
  { title: 'Reason', cell: ({ code }) => describeRouteCode(code) },
  {
    title: 'Start',
    value: ({ started_ms: ms }) => ms,
    numeric: true,
    minor: true,
    cell: ({ started_ms }) => describeTime(started_ms),
  },
  {
    title: 'Duration',
    value: ({ duration_ms: ms }) => ms,
    numeric: true,
    cell: ({ duration_ms }) => describeTime(duration_ms),
  },
]

/** The candidates of the call in their order, with what became of each. */
function Route({ steps, chosen }: { steps: CallDetails['route']; chosen: CallDetails['model_route'] }) {
  return (
    <Section title="Route">
      {chosen !== null && (
        <p className={styles['note']}>
          Route{' '}
          <Link to="/routes" search={{ route: chosen.name }}>
            {chosen.name}
          </Link>
          {`, version ${chosen.version}, ${describeStrategy(chosen.strategy)}: ${chosen.reason}.`}
        </p>
      )}
      {steps === null ? (
        <p className={styles['note']}>The route of this call is not recorded.</p>
      ) : (
        <Table
          label="Route"
          columns={routeColumns}
          rows={steps.map((step, index) => ({ ...step, number: index + 1 }))}
          rowKey={({ number }) => number}
        />
      )}
    </Section>
  )
}
