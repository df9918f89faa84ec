import '../../theme/mantine-form.css'
import { Button, SegmentedControl } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useRouterState, useSearch } from '@tanstack/react-router'
import { Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import type { Problem } from '../../api/api-failure.ts'
import { useAnnouncer } from '../../editing/use-announcer.tsx'
import { describeProblem, isAbout } from '../../parts/describe-problem.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Page } from '../../parts/Page.tsx'
import { Section } from '../../parts/Section.tsx'
import { lazyPart } from '../../shell/loading/lazy-part.tsx'
import { notify } from '../../shell/notify.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import type { WholeAgent } from '../agents/agent-queries.ts'
import { isSameJson, withValueAt } from '../flow-editor/document/json.ts'
import styles from './AgentEditor.module.css'
import { AgentForm } from './AgentForm.tsx'
import { type AgentDraft, type AgentOrigin, asCopy, textIn } from './agent-draft.ts'
import { draftOfAgent } from './agent-drafts.ts'
import { type AgentEditing, AgentEditingContext } from './agent-editing.ts'
import { readAgentEditorSearch } from './agent-editor-search.ts'
import { saveAgent } from './save-agent.ts'
import { TestAgent } from './TestAgent.tsx'
import { useAgentCheck } from './use-agent-check.ts'

const AgentCode = lazyPart(() => import('./AgentCode.tsx'))

interface AgentEditorProps {
  readonly account: string
  readonly origin: AgentOrigin
  /** Loads the newest version of the agent, without the changes made here. */
  readonly onReload: () => void
}

/** Edits the definition of an agent as a form or as JSON, saves it, and tests it. */
export function AgentEditor({ account, origin, onReload }: AgentEditorProps) {
  const search = readAgentEditorSearch(useSearch({ strict: false }))
  const { agent: id } = origin
  const isNew = id === null
  const { draft, setDraft, base, kept, discard, finish } = useKeptDraft(account, origin)
  const [isReadable, setReadable] = useState(true)
  const { editing, problems, showAll, refuse, check } = useProblems(draft, setDraft, isNew)
  const saving = useSaving({ agent: id, revision: base, draft, refuse, onSaved: finish })
  const navigate = useNavigate()
  const begin = useRouterState({ select: ({ location }) => location.state.testInput })
  const frame = useRef<HTMLDivElement>(null)
  const { announce, region } = useAnnouncer()
  const isChanged = isNew || !isSameJson(draft, origin.definition)
  const title = isNew ? 'New agent' : `Edit ${textIn(origin.definition, 'label') || id}`

  /** Saves the draft; undefined when it has problems, which the fields then show. */
  async function save(): Promise<WholeAgent | undefined> {
    showAll()
    if (!isReadable || (check.isCurrent && problems.length > 0)) {
      announce(isReadable ? countProblems(problems.length) : 'The JSON cannot be read yet.')
      // The fields show their problems with the next frame.
      requestAnimationFrame(() => frame.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
      return undefined
    }
    return await saving.save()
  }

  async function saveAndShow(): Promise<void> {
    const saved = await save()
    if (saved !== undefined) await navigate({ to: '/agents/$agent', params: { agent: saved.id } })
  }

  return (
    <Page
      title={title}
      lead="An agent does one task on a text. Workflows use it as a step, and its output is checked."
      aside={
        <>
          <SegmentedControl
            size="xs"
            aria-label="View"
            data={[
              { value: 'form', label: 'Form' },
              { value: 'json', label: 'JSON' },
            ]}
            value={search.view ?? 'form'}
            onChange={(view) =>
              void navigate({
                to: '.',
                search: readAgentEditorSearch({ ...search, view }),
                replace: true,
                resetScroll: false,
              })
            }
          />
          <Button
            size="compact-sm"
            aria-disabled={saving.isPending || !isChanged}
            title={isChanged ? 'Save' : 'No changes to save.'}
            onClick={() => {
              if (!saving.isPending && isChanged) void saveAndShow()
            }}
          >
            {isNew ? 'Create agent' : 'Save'}
          </Button>
        </>
      }
    >
      {region}
      {kept === undefined ? null : (
        <div className={styles['notice']} role="status">
          <span>
            Your unsaved changes of <RelativeTime at={kept.at.toISOString()} /> are restored.
          </span>
          <Button size="compact-xs" variant="default" onClick={discard}>
            Discard them
          </Button>
        </div>
      )}
      {saving.isOvertaken ? (
        <Overtaken
          onReload={() => {
            discard()
            onReload()
          }}
          onCopy={() => void saving.saveCopy()}
        />
      ) : null}
      {saving.failure === null ? null : (
        <FailureNotice
          what="The agent was not saved."
          error={saving.failure}
          onRetry={() => void saveAndShow()}
        />
      )}
      <div className={styles['layout']} ref={frame}>
        <AgentEditingContext value={editing}>
          {search.view === 'json' ? (
            <Suspense>
              <AgentCode draft={draft} onChange={setDraft} onReadable={setReadable} />
            </Suspense>
          ) : (
            <AgentForm />
          )}
        </AgentEditingContext>
        <div className={styles['side']}>
          <TestAgent
            draft={draft}
            isChanged={isChanged}
            begin={begin}
            execution={search.test}
            save={async () => (isChanged ? await save() : savedAs(origin))}
            onStarted={async (test, saved, testInput) =>
              await navigate({
                to: '/agents/$agent/edit',
                params: { agent: saved.id },
                search: { test, ...(search.view === undefined ? {} : { view: search.view }) },
                state: { testInput },
                replace: true,
                resetScroll: false,
              })
            }
          />
          <Problems problems={problems.filter(({ path }) => editing.problemOf(path) !== undefined)} />
        </div>
      </div>
    </Page>
  )
}

/** The saved agent that the editor opened with, as the test run names it. */
function savedAs({ agent, revision, definition }: AgentOrigin) {
  if (agent === null || revision === null) return undefined
  return { id: agent, label: textIn(definition, 'label') || agent, revision, current_revision: revision }
}

function countProblems(count: number): string {
  return count === 1 ? 'A problem has to be solved first.' : `${count} problems have to be solved first.`
}

/** The draft, stored in this browser while it differs from the saved agent. */
function useKeptDraft(account: string, origin: AgentOrigin) {
  const { agent, copyOf } = origin
  const store = useMemo(() => draftOfAgent(account, { agent, copyOf }), [account, agent, copyOf])
  const [kept, setKept] = useState(() => store.find())
  const [draft, setDraft] = useState<AgentDraft>(kept?.definition ?? origin.definition)
  // Restored changes were made on the version of their time, which another user may have changed since.
  const base = kept === undefined ? origin.revision : kept.revision
  useEffect(() => {
    if (isSameJson(draft, origin.definition)) store.forget()
    else store.keep(draft, base)
  }, [draft, origin, base, store])
  function finish(definition: AgentDraft): void {
    store.forget()
    setKept(undefined)
    setDraft(definition)
  }
  return { draft, setDraft, base, kept, finish, discard: () => finish(origin.definition) }
}

/**
 * The problems of the draft. A new agent begins with empty fields: a field shows its problem once it was changed, or
 * after the first attempt to save.
 */
function useProblems(
  draft: AgentDraft,
  setDraft: (change: (before: AgentDraft) => AgentDraft) => void,
  isNew: boolean,
) {
  const check = useAgentCheck(draft)
  const [showsAll, setShowsAll] = useState(!isNew)
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const [refused, setRefused] = useState<{ draft: AgentDraft; problems: readonly Problem[] }>()
  const taken = isNew && check.idTaken ? [{ path: 'id', message: 'is already used by another agent' }] : []
  const problems = refused?.draft === draft ? refused.problems : [...taken, ...check.problems]
  const isShown = ({ path }: Problem) => showsAll || [...touched].some((field) => isAbout({ path }, field))
  const editing: AgentEditing = {
    draft,
    isNew,
    set(path, value) {
      setTouched((before) => new Set([...before, String(path[0])]))
      setDraft((before) => withValueAt(before, path, value))
    },
    problemOf(path) {
      const problem = problems.find((it) => isAbout(it, path) && isShown(it))
      return problem === undefined ? undefined : describeProblem(problem)
    },
  }
  return {
    editing,
    problems,
    check,
    showAll: () => setShowsAll(true),
    refuse: (refusedProblems: readonly Problem[]) => setRefused({ draft, problems: refusedProblems }),
  }
}

interface SavingOptions extends Pick<AgentOrigin, 'agent' | 'revision'> {
  readonly draft: AgentDraft
  readonly refuse: (problems: readonly Problem[]) => void
  /** Called with the saved definition, in which the server has filled in the defaults. */
  readonly onSaved: (definition: AgentDraft) => void
}

function useSaving({ agent, revision, draft, refuse, onSaved }: SavingOptions) {
  const api = useApi()
  const cache = useQueryClient()
  const navigate = useNavigate()
  const [isOvertaken, setOvertaken] = useState(false)
  const { mutateAsync, error, isPending } = useMutation({
    mutationFn: (target: { origin: Pick<AgentOrigin, 'agent' | 'revision'>; draft: AgentDraft }) =>
      saveAgent(api, target.origin, target.draft),
  })

  async function send(target: Parameters<typeof mutateAsync>[0]): Promise<WholeAgent | undefined> {
    const result = await mutateAsync(target).catch(() => undefined)
    if (result === undefined) return undefined
    if ('overtaken' in result) setOvertaken(true)
    if ('refused' in result) refuse(result.refused)
    if (!('saved' in result)) return undefined
    const { label, version } = result.saved
    onSaved(result.saved.agent_definition as AgentDraft)
    await cache.invalidateQueries({ queryKey: ['agents'] })
    await notify({
      title: result.isNew
        ? `“${label}” is saved as version ${version}`
        : `No changes: still version ${version}`,
    })
    return result.saved
  }

  return {
    isPending,
    isOvertaken,
    failure: error,
    save: () => send({ origin: { agent, revision }, draft }),
    async saveCopy() {
      const copy = asCopy(draft, textIn(draft, 'id'), textIn(draft, 'label'))
      const saved = await send({ origin: { agent: null, revision: null }, draft: copy })
      if (saved !== undefined) await navigate({ to: '/agents/$agent', params: { agent: saved.id } })
    },
  }
}

/** Another user saved the agent meanwhile. */
function Overtaken({ onReload, onCopy }: { onReload: () => void; onCopy: () => void }) {
  return (
    <div className={styles['notice']} role="alert">
      <span>Another user saved this agent since you opened it. Your changes are not saved.</span>
      <Button size="compact-xs" variant="default" onClick={onReload}>
        Load the newest version
      </Button>
      <Button size="compact-xs" variant="default" onClick={onCopy}>
        Save mine as a copy
      </Button>
    </div>
  )
}

/** All problems, also those of fields that the form does not show. */
function Problems({ problems }: { problems: readonly Problem[] }) {
  if (problems.length === 0) return null
  return (
    <Section title="Problems" note={String(problems.length)}>
      <div className={styles['inside']}>
        <ul className={styles['problems']}>
          {problems.map((problem) => (
            <li key={`${problem.path} ${problem.message}`}>
              <code>{problem.path === '' ? 'definition' : problem.path}</code>: {describeProblem(problem)}
            </li>
          ))}
        </ul>
      </div>
    </Section>
  )
}
