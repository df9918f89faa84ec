import { getRouteApi, Link } from '@tanstack/react-router'
import { useApi } from '../../../api/api-context.ts'
import { ApiFailure } from '../../../api/api-failure.ts'
import { useApiQuery } from '../../../api/use-api-query.ts'
import { EmptyState } from '../../../parts/EmptyState.tsx'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { Page } from '../../../parts/Page.tsx'
import { Section, Surface } from '../../../parts/Section.tsx'
import { StepTable } from '../list/StepTable.tsx'
import { countOf } from '../list/tour-words.ts'
import { useMay } from '../list/use-may.ts'
import { UseTemplate } from './TemplatesPage.tsx'
import { templateQuery } from './template-calls.ts'

const route = getRouteApi('/admin/structure/recipe-onboarding/tours/templates/$template')

/** A template with its steps. */
export function TemplatePage() {
  const { template: id } = route.useParams()
  const { data: template, failure, refetch } = useApiQuery(templateQuery(useApi(), id))
  const { create } = useMay()
  if (template !== undefined) {
    return (
      <Page
        title={template.label}
        lead={template.description}
        aside={create ? <UseTemplate id={id} label={template.label} /> : undefined}
      >
        <Section title="Steps" note={countOf(template.tips.length, 'step')}>
          <StepTable tour={template} mayEdit={false} />
        </Section>
      </Page>
    )
  }
  return (
    <Page title="Template">
      {failure === null ? null : failure instanceof ApiFailure && failure.status === 404 ? (
        <Surface>
          <EmptyState
            sentence={`There is no template “${id}”.`}
            action={<Link to="/admin/structure/recipe-onboarding/tours/templates">View all templates</Link>}
            link={<Link to="/admin/structure/recipe-onboarding/tours">View all tours</Link>}
          />
        </Surface>
      ) : (
        <FailureNotice
          what="The template could not be loaded."
          error={failure}
          onRetry={() => void refetch()}
        />
      )}
    </Page>
  )
}
