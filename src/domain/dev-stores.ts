export { createDatabase, markStore } from '../storage/stores/dev.ts'
