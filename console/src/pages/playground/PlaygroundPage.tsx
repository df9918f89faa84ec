import { Button } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useApi } from '../../api/api-context.ts'
import { describeProblem } from '../../parts/describe-problem.ts'
import { Page } from '../../parts/Page.tsx'
import { AskPanel } from './AskPanel.tsx'
import { type Answer, isOver } from './answer.ts'
import { Composer } from './Composer.tsx'
import { CopyRequest } from './CopyRequest.tsx'
import { builtinModel, preselect } from './catalogue.ts'
import { writeChatRequest } from './chat-request.ts'
import { whatWasSaid } from './conversation.ts'
import { modelsQuery } from './models-query.ts'
import styles from './PlaygroundPage.module.css'
import { sampleText } from './sample-text.ts'
import { TurnView } from './TurnView.tsx'
import { useConversation } from './use-conversation.ts'
import { useFollowEnd } from './use-follow-end.ts'
import { useStopOnEscape } from './use-stop-on-escape.ts'

const route = getRouteApi('/playground')

/** Asking models, and what their answers take. */
export function PlaygroundPage() {
  const { model: asked } = route.useSearch()
  const navigate = route.useNavigate()
  const { data: models } = useQuery(modelsQuery(useApi()))
  const { turns, settings, isRaw, ask, askAgain, stop, clear, change, ...state } = useConversation()

  const model = asked ?? state.model ?? (models === undefined ? undefined : preselect(models))
  const last = turns.at(-1)
  const isRunning = last !== undefined && !isOver(last.answer)
  const draft = state.draft ?? (model === builtinModel && turns.length === 0 ? sampleText : '')
  const question = questionOf(turns, draft)
  useFollowEnd(last?.answer, last?.id)
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
      lead="Ask any model, and see what its answer takes. What you ask counts as your usage."
      aside={
        turns.length === 0 ? undefined : (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => {
              clear()
              change({ draft: undefined })
              // This button goes, and the focus must not go with it.
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

/** What would be asked now; while nothing is written, what was asked last. */
function questionOf(turns: Parameters<typeof whatWasSaid>[0], draft: string) {
  const last = turns.at(-1)
  if (draft.trim() !== '' || last === undefined) return { said: whatWasSaid(turns), question: draft }
  return { said: whatWasSaid(turns.slice(0, -1)), question: last.question }
}

const told: Readonly<Record<Answer['state'], string>> = {
  asking: 'Asked; waiting for the first word.',
  coming: 'The answer is coming.',
  answered: 'The answer is complete.',
  stopped: 'The answer was stopped.',
  failed: '',
}

/** For who cannot see it happen. A failure tells itself. */
function tell({ state }: Answer): string {
  return told[state]
}
