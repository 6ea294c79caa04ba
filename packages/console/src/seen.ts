/** Resolves while somebody can see the page: at once, or when they come back to it. A page that nobody sees sends nothing by itself. */
export async function seen() {
  while (document.hidden)
    await new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }))
}
