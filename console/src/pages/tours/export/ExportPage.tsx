import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useApi } from '../../../api/api-context.ts'
import { useAnswer } from '../../../api/use-answer.ts'
import { Page } from '../../../parts/Page.tsx'
import { Section } from '../../../parts/Section.tsx'
import { TourTrouble } from '../list/TourTrouble.tsx'
import { countOf } from '../list/tour-words.ts'
import { ExportForm } from './ExportForm.tsx'
import styles from './ExportPage.module.css'
import { type Exported, exportQuery } from './export-calls.ts'
import { FileTable } from './FileTable.tsx'
import { FindingList } from './FindingList.tsx'
import { ReadyFile } from './ReadyFile.tsx'

const route = getRouteApi('/admin/structure/recipe-onboarding/tours/$tour/export')

/** A tour as a recipe: what a site would make of it, how it is packed, and the file. */
export function ExportPage() {
  const { tour: id } = route.useParams()
  const api = useApi()
  const cache = useQueryClient()
  const { data, failure, refetch } = useAnswer(exportQuery(api, id))
  const [made, setMade] = useState<Exported>()
  if (data === undefined) {
    return (
      <Page title="Export">
        <TourTrouble id={id} failure={failure} needs="export recipe tours" onRetry={() => void refetch()} />
      </Page>
    )
  }
  const { findings, files } = data
  const problems = findings.filter(({ severity }) => severity !== 'note').length
  return (
    <Page
      title="Export"
      lead={
        <>
          <Link to="/admin/structure/recipe-onboarding/tours/$tour" params={{ tour: id }}>
            {data.tour.label}
          </Link>{' '}
          becomes a recipe: a folder of files that a Drupal site installs as it is.
        </>
      }
    >
      <div className={styles['columns']}>
        <Section title="Recipe">
          <div className={styles['form']}>
            <ExportForm
              form={data}
              onExported={async (exported) => {
                setMade(exported)
                await cache.invalidateQueries({ queryKey: ['tours'] })
              }}
            />
            {made === undefined ? null : <ReadyFile key={made.download_url} made={made} />}
          </div>
        </Section>
        <div className={styles['findings']}>
          <Section
            title="What a site will make of it"
            note={problems === 0 ? undefined : countOf(problems, 'problem')}
          >
            <FindingList findings={findings} none="It installs and works as it is." />
          </Section>
          <Section title="Files" note={countOf(files.length, 'file')}>
            <FileTable files={files} />
          </Section>
        </div>
      </div>
    </Page>
  )
}
