import { benchUnderLoad } from '../cluster/under-load.ts'

export default benchUnderLoad('How many small JSON answers pass per second?', 'answers/s', '/api/chat')
