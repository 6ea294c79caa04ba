// What esbuild compiles JSX to; injected into every file.
export { Fragment, h } from 'preact'
