import { Button } from '@mantine/core'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { Status } from '../../../parts/Status.tsx'
import { type FlowDocument, nameOf } from '../document/flow-document.ts'
import { stepAtPath } from '../document/scopes.ts'
import { useEditing } from '../use-flow-editor.ts'
import styles from './ProblemList.module.css'
import type { FlowProblem } from './problem.ts'
import { countProblems, neighbourOf, summarize } from './problem-words.ts'
import { unreadableCode, type Validation } from './validation.ts'

/** The problems of the flow: a summary line that expands to the list. */
export function ProblemList({ validation }: { validation: Validation }) {
  const {
    editor,
    state: { document },
  } = useEditing()
  const { problems, state, trouble, checkAgain } = validation
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
  useAnnouncedCount(validation)
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
            title="F8 goes to the next problem, Shift-F8 to the previous one"
            onClick={() => setOpen(!isOpen)}
          >
            <IconChevronRight size={14} aria-hidden />
            <Status tone={toneOf(validation, document)} word={summary} />
          </button>
        )}
        {trouble === null ? null : (
          <span className={styles['trouble']}>
            <span title={trouble}>{trouble}</span>
            <Button size="compact-xs" variant="default" onClick={checkAgain}>
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
  const step = stepAtPath(document, path)?.step
  const where = code === unreadableCode ? 'Code' : step === undefined ? 'Workflow' : nameOf(step)
  return (
    <>
      <Status
        tone={severity === 'error' ? 'bad' : 'warn'}
        word={severity === 'error' ? 'Error' : 'Warning'}
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

/** Switches to the code view, the only view that shows its syntax errors. */
function useShowCode(): () => void {
  const navigate = useNavigate()
  return () =>
    void navigate({
      to: '.',
      search: (search: object) => ({ ...search, view: 'code' as const }),
      replace: true,
      resetScroll: false,
    })
}

/** F8 and Shift-F8 move between problems, except in a dialog. */
function useProblemKeys(onStep: (way: 1 | -1) => void): void {
  const onKeyDown = useEffectEvent((press: KeyboardEvent) => {
    if (press.key !== 'F8' || press.ctrlKey || press.metaKey || press.altKey || press.defaultPrevented) return
    if (press.target instanceof Element && press.target.closest('[role="dialog"]') !== null) return
    press.preventDefault()
    onStep(press.shiftKey ? -1 : 1)
  })
  useEffect(() => {
    const listen = (press: KeyboardEvent) => onKeyDown(press)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

/** Problems that last only while the user types are not announced. */
const pauseMs = 1_500

/** Announces the number of problems to screen readers, once it has changed and stayed the same for the pause. */
function useAnnouncedCount({ state, problems }: Validation): void {
  const { announce } = useEditing()
  // Opening a flow without problems is not announced.
  const told = useRef('No problems')
  const count = state === 'checked' ? countProblems(problems) : null
  const tell = useEffectEvent((text: string) => announce(`${text}.`))
  useEffect(() => {
    if (count === null || count === told.current) return undefined
    const timer = setTimeout(() => {
      told.current = count
      tell(count)
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [count])
}
