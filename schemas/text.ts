/** The first `most` UTF-16 units of a text from outside, one less where that would part a character: half of one is no text, and stores and strict readers of JSON refuse it. */
export const beginning = (text: string, most: number): string => {
  const last = text.charCodeAt(most - 1)
  return text.slice(0, text.length > most && last >= 0xd800 && last <= 0xdbff ? most - 1 : most)
}
