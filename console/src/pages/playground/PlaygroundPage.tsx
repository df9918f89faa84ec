import { Button, Textarea } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import {
  type ReactNode,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useSyncExternalStore,
} from 'react'
import { useApi } from '../../api/api-context.ts'
import { describeProblem } from '../../parts/describe-problem.ts'
import { Page } from '../../parts/Page.tsx'
import { useCopy } from '../../parts/use-copy.ts'
import { routesQuery } from '../model-routes/route-queries.ts'
import { AskPanel } from './AskPanel.tsx'
import { type Answer, isOver } from './answer.ts'
import { builtinModel, preselect } from './catalogue.ts'
import { type ChatRequest, writeChatRequest, writeTerminalExample, writeTypeScript } from './chat-request.ts'
import { createConversation, whatWasSaid } from './conversation.ts'
import { modelsQuery } from './models-query.ts'
import styles from './PlaygroundPage.module.css'
import { TurnView } from './TurnView.tsx'
import '../../theme/mantine-form.css'
import IconPlayerStopFilled from '@tabler/icons-react/dist/esm/icons/IconPlayerStopFilled.mjs'
import { Keys } from '../../shell/Keys.tsx'

const route = getRouteApi('/playground')

/** A chat with models, with the stats of each answer. */
export function PlaygroundPage() {
  const { model: asked } = route.useSearch()
  const navigate = route.useNavigate()
  const api = useApi()
  const { data: models } = useQuery(modelsQuery(api))
  const { data: routes } = useQuery(routesQuery(api))
  const { turns, settings, isRaw, ask, askAgain, stop, clear, change, ...state } = useConversation()

  const model = asked ?? state.model ?? (models === undefined ? undefined : preselect(models, routes))
  const last = turns.at(-1)
  const isRunning = last !== undefined && !isOver(last.answer)
  const draft = state.draft ?? (model === builtinModel && turns.length === 0 ? sampleText : '')
  const question = questionOf(turns, draft)
  const followEnd = useFollowEnd(last?.answer, last?.id)
  useStopOnEscape(isRunning, stop)

  const choose = (name: string) => {
    change({ model: name })
    void navigate({ search: { model: name }, replace: true })
  }
  const problemOf = (field: string) => {
    const problem = last?.answer.failure?.problems.find(({ path }) => path === field)
    return problem && describeProblem({ message: problem.message.replace(`${field} `, '') })
  }

  return (
    <Page
      title="Playground"
      lead="Chat with any model and see tokens, latency and cost. Calls count towards your usage."
      aside={
        turns.length === 0 ? undefined : (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => {
              clear()
              change({ draft: undefined })
              // This button disappears, and must not take the focus with it.
              document.querySelector<HTMLElement>('h1')?.focus()
            }}
          >
            New conversation
          </Button>
        )
      }
    >
      <div className={styles['sides']}>
        <AskPanel
          model={model}
          onModel={choose}
          settings={settings}
          onSettings={(changed) => change({ settings: changed })}
          isRaw={isRaw}
          onRaw={(wanted) => change({ isRaw: wanted })}
          problemOf={problemOf}
        />
        <div className={styles['conversation']}>
          <ol className={styles['turns']} aria-label="Conversation">
            {turns.map((turn) => (
              <TurnView
                key={turn.id}
                turn={turn}
                isRaw={isRaw}
                onRendered={followEnd}
                onAskAgain={
                  turn === last && model !== undefined && isOver(turn.answer)
                    ? () => askAgain(model)
                    : undefined
                }
              />
            ))}
          </ol>
          <p className={styles['told']} role="status">
            {last === undefined ? null : tell(last.answer)}
          </p>
          <Composer
            draft={draft}
            onDraft={(text) => change({ draft: text })}
            isRunning={isRunning}
            canAsk={model !== undefined}
            onAsk={() => {
              ask(draft, model ?? '')
              change({ draft: '' })
            }}
            onStop={stop}
            ways={
              model === undefined || question.question.trim() === '' ? null : (
                <CopyRequest request={writeChatRequest({ model, settings, ...question })} />
              )
            }
          />
        </div>
      </div>
    </Page>
  )
}

/** The request that would be sent now; while the input is empty, the last one. */
function questionOf(turns: Parameters<typeof whatWasSaid>[0], draft: string) {
  const last = turns.at(-1)
  if (draft.trim() !== '' || last === undefined) return { said: whatWasSaid(turns), question: draft }
  return { said: whatWasSaid(turns.slice(0, -1)), question: last.question }
}

const told: Readonly<Record<Answer['state'], string>> = {
  asking: 'Sent; waiting for the first token.',
  coming: 'The answer is streaming.',
  answered: 'The answer is complete.',
  stopped: 'The answer was stopped.',
  failed: '',
}

/** The announcement for screen readers. A failure is announced by its alert. */
function tell({ state }: Answer): string {
  return told[state]
}

/** A sample for the text analysis: headings, sentences of different lengths, a sentiment. */
const sampleText = `# The string quartet

A string quartet is a group of four players: two violins, a viola and a cello. It is also the name of the music that is written for them. Joseph Haydn wrote sixty-eight quartets, and many people call him the father of the form.

The four players have no conductor. They listen to each other, breathe together and decide everything by themselves. This makes rehearsals long, sometimes loud, and wonderfully rewarding.

A quartet is hard to write, because nothing can hide. Every note is heard, and a weak idea stays weak in every part.
`

/** Escape stops a streaming answer from anywhere on the page, unless it closes an open dialog or list. */
function useStopOnEscape(isRunning: boolean, stop: () => void): void {
  const onEscape = useEffectEvent(stop)
  useEffect(() => {
    if (!isRunning) return undefined
    const onKeyDown = (press: KeyboardEvent) => {
      const isTaken =
        press.target instanceof Element &&
        press.target.closest('[role="dialog"], [aria-expanded="true"][role="combobox"]') !== null
      if (press.key === 'Escape' && !press.defaultPrevented && !isTaken) onEscape()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [isRunning])
}

/** The conversation of this window, stored in the query cache until the window closes or the user signs out. */
function useConversation() {
  const api = useApi()
  const open = () => createConversation({ send: api.send, origin: window.location.origin })
  const { data: conversation } = useQuery({
    queryKey: ['playground', 'conversation'],
    queryFn: open,
    initialData: open,
    enabled: false,
    gcTime: Number.POSITIVE_INFINITY,
  })
  return { ...conversation, ...useSyncExternalStore(conversation.subscribe, conversation.read) }
}

/** The current request as a shell command or a program. */
function CopyRequest({ request }: { request: ChatRequest }) {
  const { origin } = window.location
  return (
    <>
      <CopyAs what="curl" text={writeTerminalExample(request, origin)} />
      <CopyAs what="TypeScript" text={writeTypeScript(request, origin)} />
    </>
  )
}

function CopyAs({ what, text }: { what: string; text: string }) {
  const { outcome, copy } = useCopy(text)
  const label = { idle: `Copy as ${what}`, copied: 'Copied', failed: 'Could not copy' }[outcome]
  return (
    <Button size="compact-sm" variant="default" onClick={copy}>
      {label}
    </Button>
  )
}

/** The distance to the end, in pixels, within which the view follows new text. */
const nearPx = 48

/**
 * Keeps the end of the page in view while it grows, unless the user scrolled back. Content `added` at the end is always
 * shown. Returns a function to call after a part of the page that renders later has grown.
 */
function useFollowEnd(growth: unknown, added: unknown): () => void {
  const follows = useRef(false)
  /** The last programmatic scroll position. Scroll events arrive late: a position above this one means the user scrolled back. */
  const putAt = useRef(0)
  const shown = useRef(added)
  useEffect(() => {
    const look = () => {
      const { scrollHeight, clientHeight } = document.documentElement
      const isNear = scrollHeight - clientHeight - window.scrollY < nearPx
      if (isNear) putAt.current = Math.min(putAt.current, window.scrollY)
      follows.current = isNear || (follows.current && window.scrollY >= putAt.current)
    }
    look()
    window.addEventListener('scroll', look, { passive: true })
    return () => window.removeEventListener('scroll', look)
  }, [])
  const follow = useCallback(() => {
    if (!follows.current || window.scrollY < putAt.current) return
    window.scrollTo({ top: document.documentElement.scrollHeight })
    putAt.current = window.scrollY
  }, [])
  useLayoutEffect(() => {
    const isNew = shown.current !== added
    shown.current = added
    if (growth === undefined) return
    if (isNew) {
      follows.current = true
      putAt.current = 0
    }
    follow()
  }, [growth, added, follow])
  return follow
}

interface ComposerProps {
  readonly draft: string
  readonly onDraft: (draft: string) => void
  /** An answer is streaming. */
  readonly isRunning: boolean
  /** A model is available. */
  readonly canAsk: boolean
  readonly onAsk: () => void
  readonly onStop: () => void
  /** More actions for the typed text. */
  readonly ways: ReactNode
}

/** The input for a question, with the send and stop buttons. */
function Composer({ draft, onDraft, isRunning, canAsk, onAsk, onStop, ways }: ComposerProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const isReady = canAsk && !isRunning && draft.trim() !== ''
  // The clicked button disappears, and must not take the focus with it.
  const ask = () => {
    field.current?.focus()
    if (isReady) onAsk()
  }
  const stop = () => {
    field.current?.focus()
    onStop()
  }
  return (
    <form
      className={styles['composer']}
      onSubmit={(event) => {
        event.preventDefault()
        ask()
      }}
    >
      <Textarea
        ref={field}
        aria-label="Message"
        placeholder="Type a message"
        size="sm"
        rows={3}
        classNames={{ input: styles['field'] ?? '' }}
        value={draft}
        onChange={(change) => onDraft(change.currentTarget.value)}
        onKeyDown={(press) => {
          if (press.key !== 'Enter' || !(press.ctrlKey || press.metaKey)) return
          press.preventDefault()
          ask()
        }}
      />
      <div className={styles['foot']}>
        <div className={styles['ways']}>{ways}</div>
        <span className={styles['keys']} aria-hidden>
          <Keys keys={isRunning ? 'Esc' : 'mod+Enter'} />
        </span>
        {isRunning ? (
          <Button
            key="stop"
            size="sm"
            variant="default"
            leftSection={<IconPlayerStopFilled size={14} aria-hidden />}
            aria-keyshortcuts="Escape"
            onClick={stop}
          >
            Stop
          </Button>
        ) : (
          <Button
            key="ask"
            type="submit"
            size="sm"
            aria-disabled={!isReady}
            aria-keyshortcuts="Control+Enter Meta+Enter"
          >
            Send
          </Button>
        )}
      </div>
    </form>
  )
}
