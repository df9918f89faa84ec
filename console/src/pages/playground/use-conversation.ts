import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { useApi } from '../../api/api-context.ts'
import { createConversation } from './conversation.ts'

/** The conversation of this window. It is kept where answers are kept, until the window closes or the person signs out. */
export function useConversation() {
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
