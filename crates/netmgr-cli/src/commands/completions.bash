_netmgr_completion() {
    # bash also splits words at signs such as `=` and `:`. Pieces without a blank between them are one word.
    local words=() word line="$COMP_LINE" index=0 i
    for ((i = 0; i < ${#COMP_WORDS[@]}; i++)); do
        word="${COMP_WORDS[i]}"
        if ((i > 0)) && [[ $word && $line == "$word"* ]]; then
            words[${#words[@]} - 1]+="$word"
        else
            [[ $word ]] && line="${line#"${line%%[![:space:]]*}"}"
            words+=("$word")
        fi
        line="${line#"$word"}"
        ((i == COMP_CWORD)) && index=$((${#words[@]} - 1))
    done
    word="${words[index]}"
    COMPREPLY=()
    # bash replaces `$2`, the end of the word. Text after the cursor would become part of a completed name.
    [[ $word == *"$2" && ${COMP_LINE:COMP_POINT:1} != [![:space:]] ]] || return 0
    IFS=$'\013' read -r -d '' -a COMPREPLY < <(
        COMPLETE=bash _CLAP_COMPLETE_INDEX="$index" _CLAP_IFS=$'\013' netmgr -- "${words[@]}"
    ) || true
    [[ ${COMPREPLY-} ]] || return 0
    # Before version 4, a completed word is never followed by a blank.
    if compopt +o nospace 2> /dev/null && [[ ${COMPREPLY-} =~ [=/:]$ ]]; then
        compopt -o nospace
    fi
    COMPREPLY=("${COMPREPLY[@]#"${word%"$2"}"}")
}
if [[ "${BASH_VERSINFO[0]}" -eq 4 && "${BASH_VERSINFO[1]}" -ge 4 || "${BASH_VERSINFO[0]}" -gt 4 ]]; then
    complete -o nospace -o bashdefault -o nosort -F _netmgr_completion netmgr
else
    complete -o nospace -o bashdefault -F _netmgr_completion netmgr
fi
