import '../../../theme/mantine-form.css'
import { Button } from '@mantine/core'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { type Api, bodyOf } from '../../../api/api.ts'
import { useApi } from '../../../api/api-context.ts'
import type { paths } from '../../../api/schema.generated.ts'
import { useMay } from '../../../api/use-may.ts'
import { ConfirmDialog } from '../../../parts/ConfirmDialog.tsx'
import { EmptyState } from '../../../parts/EmptyState.tsx'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { RowAction } from '../../../parts/RowAction.tsx'
import { Status } from '../../../parts/Status.tsx'
import { type Column, Table } from '../../../parts/Table.tsx'
import { lazyPart } from '../../../shell/loading/lazy-part.tsx'
import { apiReferencePath } from '../../../shell/pages.ts'
import { RelativeTime } from '../../../time/RelativeTime.tsx'
import type { WholeFlow } from '../../workflows/flow-queries.ts'
import styles from './TestsTab.module.css'

const RecordTest = lazyPart(() => import('./RecordTest.tsx'))

type FlowTest =
  paths['/ai-workflows/api/flows/{id}/tests']['get']['responses'][200]['content']['application/json']['tests'][number]
type Results =
  paths['/ai-workflows/api/flows/{id}/tests/run']['post']['responses'][200]['content']['application/json']
type TestResult = Results['tests'][number]

/** The saved tests of a workflow, by name. */
function testsQuery(api: Api, flow: string) {
  return queryOptions({
    queryKey: ['flows', 'tests', flow],
    queryFn: ({ signal }) =>
      bodyOf(
        api.client.GET('/ai-workflows/api/flows/{id}/tests', { signal, params: { path: { id: flow } } }),
      ),
  })
}

/** Saved inputs with recorded answers, which are run against the current version. */
export default function TestsTab({ flow }: { flow: WholeFlow }) {
  const api = useApi()
  const cache = useQueryClient()
  const mayManage = useMay('manage workflows')
  const { data, error, refetch } = useQuery({ ...testsQuery(api, flow.id), enabled: mayManage })
  const [isRecording, setRecording] = useState(false)
  const [removed, setRemoved] = useState<string>()
  const run = useMutation({
    mutationFn: (names: readonly string[]) =>
      bodyOf(
        api.client.POST('/ai-workflows/api/flows/{id}/tests/run', {
          params: { path: { id: flow.id } },
          body: names.length === 0 ? {} : { names: [...names] },
        }),
      ),
  })
  const refresh = () => cache.invalidateQueries({ queryKey: ['flows', 'tests', flow.id] })
  const record = (
    <Button size="compact-sm" variant="default" onClick={() => setRecording(true)}>
      Record a test
    </Button>
  )
  if (!mayManage) return <p className={styles['note']}>Tests require the permission “manage workflows”.</p>
  return (
    <>
      {error !== null && data === undefined ? (
        <FailureNotice what="The tests could not be loaded." error={error} onRetry={() => void refetch()} />
      ) : data?.tests.length === 0 ? (
        <EmptyState
          sentence="No tests. A test replays a finished run against the current version, without any calls or cost."
          action={record}
          link={<a href={apiReferencePath}>Read about tests</a>}
        />
      ) : (
        <>
          <div className={styles['tools']}>
            <Button
              size="compact-sm"
              aria-disabled={run.isPending}
              onClick={() => run.isPending || run.mutate([])}
            >
              {run.isPending ? 'Running…' : 'Run all tests'}
            </Button>
            {record}
            <span role="status">{run.data === undefined ? '' : describeResults(run.data)}</span>
          </div>
          {run.error === null ? null : (
            <FailureNotice what="The tests were not run." error={run.error} onRetry={() => run.mutate([])} />
          )}
          <Table
            label="Tests"
            columns={columnsFor({
              results: new Map(run.data?.tests.map((result) => [result.name, result])),
              onRun: (name) => run.isPending || run.mutate([name]),
              onRemove: setRemoved,
            })}
            rows={data?.tests}
            rowKey={({ name }) => name}
          />
        </>
      )}
      <Suspense>
        {isRecording ? (
          <RecordTest flow={flow} onClose={() => setRecording(false)} onSaved={refresh} />
        ) : null}
      </Suspense>
      {removed === undefined ? null : (
        <ConfirmDialog
          title={`Delete the test “${removed}”?`}
          confirmLabel="Delete test"
          failureSentence="The test was not deleted."
          send={({ client }) =>
            bodyOf(
              client.DELETE('/ai-workflows/api/flows/{id}/tests/{name}', {
                params: { path: { id: flow.id, name: removed } },
              }),
            )
          }
          onDone={async () => await refresh()}
          onClose={() => setRemoved(undefined)}
        >
          Its recorded answers are removed. The run it was recorded from stays.
        </ConfirmDialog>
      )}
    </>
  )
}

function describeResults({ tests, message }: Results): string {
  const failed = tests.filter(({ passed }) => !passed).length
  if (message !== null) return failed === 0 ? message : `${failed} failed. ${message}`
  if (failed === 0) return tests.length === 1 ? 'The test passed.' : `All ${tests.length} tests passed.`
  return `${failed} of ${tests.length} failed.`
}

interface Ways {
  readonly results: ReadonlyMap<string, TestResult>
  readonly onRun: (name: string) => void
  readonly onRemove: (name: string) => void
}

function columnsFor({ results, onRun, onRemove }: Ways): ReadonlyArray<Column<FlowTest>> {
  return [
    { title: 'Test', minWidth: 120, value: ({ name }) => name, cell: ({ name }) => name },
    {
      title: 'Result',
      value: ({ name }) => resultWord(results.get(name)),
      minWidth: 200,
      cell: ({ name }) => <Result result={results.get(name)} />,
    },
    {
      title: 'Expects',
      value: ({ expect }) => expect.length,
      minor: true,
      cell: ({ expect }) =>
        expect.length === 0
          ? 'completion'
          : expect.length === 1
            ? 'one condition'
            : `${expect.length} conditions`,
    },
    {
      title: 'Recorded',
      value: ({ updated_at: at }) => at,
      numeric: true,
      cell: ({ updated_at: at, recorded_version: version }) => (
        <span>
          {version === null ? '' : `version ${version}, `}
          <RelativeTime at={new Date(at * 1000).toISOString()} />
        </span>
      ),
    },
    {
      title: 'Actions',
      quiet: true,
      numeric: true,
      cell: ({ name }) => (
        <span className={styles['actions']}>
          <RowAction label="Run" name={name} onClick={() => onRun(name)} />
          <RowAction label="Delete" name={name} onClick={() => onRemove(name)} />
        </span>
      ),
    },
  ]
}

function resultWord(result: TestResult | undefined): string {
  if (result === undefined) return 'Not run'
  return result.passed ? 'Passed' : 'Failed'
}

/** The result of a test, with every problem in a sentence. */
function Result({ result }: { result: TestResult | undefined }) {
  if (result === undefined) return resultWord(result)
  const { passed, problems, execution_id: execution } = result
  return (
    <div className={styles['result']}>
      <Status tone={passed ? 'good' : 'bad'} word={resultWord(result)} />
      {problems.length === 0 ? null : (
        <ul>
          {problems.map(({ code, message }) => (
            <li key={`${code} ${message}`}>{message}</li>
          ))}
        </ul>
      )}
      {execution === null ? null : (
        <Link to="/executions/$execution" params={{ execution }} search={{ tab: 'timeline' }}>
          Open run
        </Link>
      )}
    </div>
  )
}
