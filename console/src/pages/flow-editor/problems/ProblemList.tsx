import { Button } from '@mantine/core'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import { useNavigate } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { Status } from '../../../parts/Status.tsx'
import { type FlowDocument, nameOf } from '../document/flow-document.ts'
import { useEditing } from '../use-flow-editor.ts'
import styles from './ProblemList.module.css'
import type { FlowProblem } from './problem.ts'
import { neighbourOf, summarize } from './problem-words.ts'
import { useProblemKeys } from './use-problem-keys.ts'
import { useToldCount } from './use-told-count.ts'
import type { Validation } from './use-validation.ts'
import { unreadableCode } from './validation.ts'

/** What is wrong with the flow, in one line that opens to all of it. */
export function ProblemList({ validation }: { validation: Validation }) {
  const {
    editor,
    state: { document },
  } = useEditing()
  const { problems, state, trouble, askAgain } = validation
  const [isOpen, setOpen] = useState(false)
  const [current, setCurrent] = useState<FlowProblem | null>(null)
  const showCode = useShowCode()
  const list = useId()
  const open = (problem: FlowProblem) => {
    setCurrent(problem)
    if (problem.code === unreadableCode) showCode()
    editor.ask(problem.path)
  }
  useProblemKeys((way) => {
    const next = neighbourOf(problems, current, way)
    if (next !== undefined) open(next)
  })
  useToldCount(validation)
  const summary = summarize({ state, problems, isEmpty: document.definition.steps.length === 0 })

  return (
    <section className={styles['problems']} aria-label="Problems">
      <div className={styles['line']}>
        {problems.length === 0 ? (
          <Status tone={toneOf(validation, document)} word={summary} />
        ) : (
          <button
            type="button"
            className={styles['opener']}
            aria-expanded={isOpen}
            aria-controls={list}
            title="F8 goes to the next one, Shift-F8 to the one before"
            onClick={() => setOpen(!isOpen)}
          >
            <IconChevronRight size={14} aria-hidden />
            <Status tone={toneOf(validation, document)} word={summary} />
          </button>
        )}
        {trouble === null ? null : (
          <span className={styles['trouble']}>
            <span title={trouble}>{trouble}</span>
            <Button size="compact-xs" variant="default" onClick={askAgain}>
              Check again
            </Button>
          </span>
        )}
        {state === 'stale' && problems.length > 0 ? (
          <span className={styles['checking']}>Checking…</span>
        ) : null}
      </div>
      <ul id={list} className={styles['list']} hidden={!isOpen || problems.length === 0}>
        {problems.map((problem) => (
          <li key={`${problem.path} ${problem.code} ${problem.message}`}>
            <button type="button" className={styles['problem']} onClick={() => open(problem)}>
              <Problem problem={problem} document={document} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Problem({ problem, document }: { problem: FlowProblem; document: FlowDocument }) {
  const { severity, path, message, code } = problem
  const index = /^steps\[(\d+)\]/.exec(path)?.[1]
  const step = document.definition.steps[Number(index)]
  const where = code === unreadableCode ? 'Code' : step === undefined ? 'Flow' : nameOf(step)
  return (
    <>
      <Status
        tone={severity === 'error' ? 'bad' : 'warn'}
        word={severity === 'error' ? 'Problem' : 'Warning'}
      />
      <strong>{where}</strong>
      <span className={styles['words']}>
        {path === '' ? null : <code>{path}</code>} {message}
      </span>
    </>
  )
}

function toneOf({ problems, state }: Validation, { definition }: FlowDocument) {
  if (problems.some(({ severity }) => severity === 'error')) return 'bad'
  if (problems.length > 0) return 'warn'
  return state === 'checked' && definition.steps.length > 0 ? 'good' : 'idle'
}

/** What is wrong with somebody's code is seen nowhere else. */
function useShowCode(): () => void {
  const navigate = useNavigate()
  return () =>
    void navigate({
      to: '.',
      search: (search) => ({ ...search, view: 'code' as const }),
      replace: true,
      resetScroll: false,
    })
}
