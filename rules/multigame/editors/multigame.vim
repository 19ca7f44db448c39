" Vim syntax file: Multigame (*.mg)
if exists("b:current_syntax")
  finish
endif
syntax keyword mgStatement add again alldir as at backward base check diagonal draw east either find forget forward goto in lose mark matches most north northeast northwest not orthogonal pass pickup points putdown random remove repeat replace rotate set south southeast southwest spread step test try west win write
syntax keyword mgDeclaration dimensions players pieces fields start names zones variables repetition text sides counts
syntax keyword mgWord algebraic any based black board by columns count each else empty enemy field flags infinity local moves number numbered on or own perpetual piece side silent squares times to unless volatile white word
syntax match mgRule "^\a\w*\ze\s*="
syntax match mgNumber "\<\d\+\>"
syntax match mgPlace "\<[a-z]\d\+\>"
syntax match mgComment "#.*$"
syntax match mgSymbol "'[^']'"
syntax region mgString start=+"+ end=+"+ oneline
highlight default link mgStatement Statement
highlight default link mgDeclaration Type
highlight default link mgWord Keyword
highlight default link mgRule Function
highlight default link mgNumber Number
highlight default link mgPlace Constant
highlight default link mgComment Comment
highlight default link mgSymbol Character
highlight default link mgString String
let b:current_syntax = "multigame"
