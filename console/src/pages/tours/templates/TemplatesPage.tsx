import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useApi } from '../../../api/api-context.ts'
import { useApiQuery } from '../../../api/use-api-query.ts'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { Page } from '../../../parts/Page.tsx'
import { Surface } from '../../../parts/Section.tsx'
import { Skeleton } from '../../../parts/Skeleton.tsx'
import { countOf } from '../list/tour-words.ts'
import { useMay } from '../list/use-may.ts'
import styles from './TemplatesPage.module.css'
import { type Template, templatesQuery } from './template-calls.ts'

/** The tour templates. */
export function TemplatesPage() {
  const { data: templates, failure, refetch } = useApiQuery(templatesQuery(useApi()))
  const { create } = useMay()
  return (
    <Page
      title="Templates"
      lead={
        <>
          Ready-made steps to start a <Link to="/admin/structure/recipe-onboarding/tours">tour</Link> from.
          You can change all of them.
        </>
      }
    >
      {failure !== null && templates === undefined ? (
        <FailureNotice
          what="The templates could not be loaded."
          error={failure}
          onRetry={() => void refetch()}
        />
      ) : (
        <ul className={styles['templates']} aria-busy={templates === undefined}>
          {templates === undefined
            ? [1, 2, 3, 4].map((place) => (
                <li key={place}>
                  <Surface>
                    <div className={styles['template']}>
                      <Skeleton width={160} />
                    </div>
                  </Surface>
                </li>
              ))
            : templates.map((template) => (
                <li key={template.id}>
                  <Surface>
                    <TemplateCard template={template} mayCreate={create} />
                  </Surface>
                </li>
              ))}
        </ul>
      )}
    </Page>
  )
}

function TemplateCard({ template, mayCreate }: { template: Template; mayCreate: boolean }) {
  const { id, label, description, tips } = template
  return (
    <div className={styles['template']}>
      <h2>{label}</h2>
      <p>{description}</p>
      <p className={styles['steps']}>{countOf(tips.length, 'step')}</p>
      <div className={styles['ways']}>
        {mayCreate ? <UseTemplate id={id} label={label} /> : null}
        <Link
          to="/admin/structure/recipe-onboarding/tours/templates/$template"
          params={{ template: id }}
          aria-label={`View steps: ${label}`}
        >
          View steps
        </Link>
      </div>
    </div>
  )
}

/** Opens the form that creates a tour from the template. */
export function UseTemplate({ id, label }: { id: string; label: string }) {
  return (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={`Use ${label}`}
      renderRoot={(props) => (
        <Link
          to="/admin/structure/recipe-onboarding/tours"
          search={{ create: 'template', template: id }}
          {...props}
        />
      )}
    >
      Use
    </Button>
  )
}
