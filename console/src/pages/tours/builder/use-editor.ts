import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useApi } from '../../../api/api-context.ts'
import type { KeptTour } from './document/saved-tour.ts'
import { createTourCalls } from './document/tour-calls.ts'
import { createTourEditor, type EditorState, type TourEditor } from './document/tour-editor.ts'

export interface Editing {
  readonly editor: TourEditor
  readonly state: EditorState
}

/** The editor of a tour while its builder is open. Unsaved changes are saved when the window is hidden. */
export function useEditor(id: string, tour: KeptTour): Editing {
  const api = useApi()
  const cache = useQueryClient()
  const [editor] = useState(() => createTourEditor({ tour, send: createTourCalls(api, id) }))
  useEffect(() => {
    const onHidden = () => {
      if (document.visibilityState === 'hidden') editor.hurry()
    }
    document.addEventListener('visibilitychange', onHidden)
    return () => {
      document.removeEventListener('visibilitychange', onHidden)
      editor.rest()
      // Cached lists of tours show the state before the edits.
      void cache.invalidateQueries({ queryKey: ['tours'] })
    }
  }, [editor, cache])
  return { editor, state: useSyncExternalStore(editor.subscribe, editor.read) }
}
