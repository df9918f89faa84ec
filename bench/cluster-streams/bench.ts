import { benchUnderLoad } from '../cluster/under-load.ts'

export default benchUnderLoad('How many streams of 32 tokens pass per second?', 'streams/s', '/api/generate')
