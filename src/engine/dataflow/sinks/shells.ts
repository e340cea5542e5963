const shells = /^(?:.*\/)?(?:ba|z|k|da|a)?sh(?:\.exe)?$|^(?:.*\\)?(?:cmd|powershell|pwsh)(?:\.exe)?$/i
const flags = /^(?:-\w*c|\/[cC]|-[cC]ommand|-EncodedCommand)$/

export const isShell = (text: string | null): boolean => text !== null && shells.test(text)
export const isFlag = (text: string | null): boolean => text !== null && flags.test(text)

/** Programs that take an option for a command or a file from any argument that starts with a dash. */
export const optionHungry = /^(?:.*\/)?(?:git|hg|ssh|scp|rsync|curl|wget|tar|zip|find|ffmpeg)(?:\.exe)?$/
