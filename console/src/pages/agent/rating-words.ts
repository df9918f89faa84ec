/** The five ratings, the best first. */
export const ratingWords = [
  { value: '5', label: '5, best' },
  { value: '4', label: '4' },
  { value: '3', label: '3' },
  { value: '2', label: '2' },
  { value: '1', label: '1, worst' },
] as const
