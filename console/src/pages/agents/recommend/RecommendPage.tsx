import { getRouteApi } from '@tanstack/react-router'
import { Page } from '../../../parts/Page.tsx'
import { AdvicePanel } from './AdvicePanel.tsx'
import { readAdviceOptions } from './advice-options.ts'
import { readRecommendSearch } from './recommend-search.ts'

const route = getRouteApi('/agents/recommend')

/** Recommends agents for a task; the URL keeps the task. */
export function RecommendPage() {
  // Invalid search parameters stay in the URL and are dropped here.
  const search = readRecommendSearch({ ...route.useSearch() })
  const navigate = route.useNavigate()
  return (
    <Page
      title="Recommend agents"
      lead="Describe your task, and get the agents that fit it best, with reasons."
    >
      <AdvicePanel
        options={readAdviceOptions({ ...search })}
        isAsked={search.asked === true}
        onAsk={(options) =>
          void navigate({ search: { asked: true, ...options }, replace: true, resetScroll: false })
        }
      />
    </Page>
  )
}
