import '../../theme/mantine-form.css'
import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { DetailList } from '../../parts/DetailList.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { ListTools } from '../../parts/ListTools.tsx'
import { Page } from '../../parts/Page.tsx'
import { Pager } from '../../parts/Pager.tsx'
import { Surface } from '../../parts/Section.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { lazyPart } from '../../shell/loading/lazy-part.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { type HumanTaskEntry, humanTaskQuery, humanTasksQuery } from './human-task-queries.ts'
import { type HumanTaskSearch, readHumanTaskSearch, taskFilters } from './human-task-search.ts'
import { taskWords } from './human-task-words.ts'

const HumanTask = lazyPart(() => import('./HumanTask.tsx'))
const route = getRouteApi('/human-tasks')

/** New tasks appear without a reload. */
const refreshMs = 15_000

/** The questions of executions to people: those that are open, and the answers. */
export function HumanTasksPage() {
  const search = readHumanTaskSearch({ ...route.useSearch() })
  const navigate = route.useNavigate()
  const { page = 1, state = 'open', task } = search
  const query = humanTasksQuery(useApi(), search)
  const { data, failure, refetch } = useApiQuery({ ...query, refetchInterval: refreshMs })
  const go = (
    change: { [Name in keyof HumanTaskSearch]: HumanTaskSearch[Name] | undefined },
    replace = true,
  ) => void navigate({ search: (before) => readHumanTaskSearch({ ...before, ...change }), replace })
  return (
    <Page title="Human tasks" lead="Questions of workflows that wait for the answer of a person.">
      <ListTools>
        <NativeSelect
          size="xs"
          aria-label="State"
          data={taskFilters.map((value) => ({
            value,
            label: value === 'all' ? 'All states' : taskWords[value].word,
          }))}
          value={state}
          onChange={({ currentTarget: { value } }) =>
            go({ state: taskFilters.find((it) => it === value), page: undefined })
          }
        />
        <NativeSelect
          size="xs"
          aria-label="Assigned to"
          data={[
            { value: '', label: 'Assigned to anyone' },
            { value: 'me', label: 'Assigned to me' },
          ]}
          value={search.assigned ?? ''}
          onChange={({ currentTarget: { value } }) =>
            go({ assigned: value === 'me' ? value : undefined, page: undefined })
          }
        />
      </ListTools>
      <Surface>
        {failure !== null && data === undefined ? (
          <FailureNotice
            what="The human tasks could not be loaded."
            error={failure}
            onRetry={() => void refetch()}
          />
        ) : data?.tasks.length === 0 ? (
          <EmptyState
            sentence={state === 'open' ? 'No open tasks.' : 'No tasks match.'}
            action={
              <Button
                size="compact-sm"
                variant="default"
                onClick={() => go({ state: 'all', assigned: undefined, page: undefined })}
              >
                Show all tasks
              </Button>
            }
            link={<a href={apiReferencePath}>Read about human steps</a>}
          />
        ) : (
          <Table
            label="Human tasks"
            name="main"
            columns={columns}
            rows={data?.tasks}
            total={data?.total}
            rowKey={({ id }) => id}
            onOpen={({ id }) => go({ task: id }, false)}
          />
        )}
      </Surface>
      <Pager
        order="oldest first"
        page={page}
        total={data?.total}
        onPage={(wanted, { replace }) => go({ page: wanted }, replace)}
      />
      {task === undefined ? null : <TaskDrawer id={task} onClose={() => go({ task: undefined })} />}
    </Page>
  )
}

const columns: ReadonlyArray<Column<HumanTaskEntry>> = [
  {
    title: 'Question',
    value: ({ message }) => firstLine(message),
    minWidth: 200,
    cell: ({ message }) => firstLine(message),
  },
  {
    title: 'State',
    value: ({ state }) => taskWords[state].word,
    cell: ({ state }) => <Status {...taskWords[state]} />,
  },
  { title: 'Workflow', value: ({ flow_label: label }) => label, cell: ({ flow_label: label }) => label },
  {
    title: 'Assigned to',
    value: ({ assignees }) => describeAssignees(assignees),
    minor: true,
    cell: ({ assignees }) => describeAssignees(assignees),
  },
  {
    title: 'Asked',
    numeric: true,
    value: ({ created_at: at }) => at,
    cell: ({ created_at: at }) => <RelativeTime at={new Date(at * 1000).toISOString()} />,
  },
  {
    title: 'Due',
    numeric: true,
    minor: true,
    value: ({ expires_at: at }) => at,
    cell: ({ expires_at: at }) =>
      at === null ? '–' : <RelativeTime at={new Date(at * 1000).toISOString()} />,
  },
]

const maxQuestion = 120

/** The first line of a question without the marks of Markdown. */
function firstLine(message: string): string {
  const line = message.trim().split('\n', 1)[0] ?? ''
  const plain = line.replaceAll(/[*_`#>]+/g, '').trim()
  return plain.length > maxQuestion ? `${plain.slice(0, maxQuestion)}…` : plain
}

function describeAssignees(assignees: HumanTaskEntry['assignees']): string {
  if (assignees === null) return 'account of the run'
  return [...assignees.accounts, ...assignees.roles, ...assignees.emails].join(', ')
}

/** One task with its form. */
function TaskDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const { data: task } = useQuery(humanTaskQuery(useApi(), id))
  return (
    <SideDrawer title={task?.flow_label ?? 'Human task'} onClose={onClose} holdsInput>
      <Suspense>
        <HumanTask id={id} />
      </Suspense>
      {task === undefined ? null : (
        <DetailList
          details={[
            { name: 'Step', value: <code>{task.step_id}</code> },
            {
              name: 'Execution',
              // An assignee may see the task alone.
              value: task.may_open_execution ? (
                <Link to="/executions/$execution" params={{ execution: task.execution_id }}>
                  {task.execution_id.slice(-12)}
                </Link>
              ) : (
                <code>{task.execution_id.slice(-12)}</code>
              ),
            },
          ]}
        />
      )}
    </SideDrawer>
  )
}
