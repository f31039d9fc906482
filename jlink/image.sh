# Part of build.sh: how build/image is made, with its AOT cache. Needs the functions and variables of build.sh.
# shellcheck shell=bash

VERSION=0.1.0
# What the AOT cache has: `classes`, which is the same in each build, or the `profiles` of the training besides, with
# which the first seconds under load cost less; see config/docs/decisions/start-and-memory.md.
AOT=${PORTCULLIS_AOT:-classes}

# Links the JDK's part of the image, which changes only with the JDK or the list of modules.
runtime() {
  stale build/runtime.stamp jlink/{modules,image.sh} "$JAVA_HOME/release" || return 0
  rm -rf build/runtime
  "$JAVA_HOME/bin/jlink" --add-modules "$(grep -v '^#' jlink/modules | paste -s -d ,)" --compress zip-0 \
    --no-header-files --no-man-pages --output build/runtime
  rm -f build/runtime/bin/{jfr,jwebserver,keytool}
  # Whom this machine trusts is no part of a release; see SystemTrust.
  rm -f build/runtime/lib/security/cacerts
  local security=build/runtime/conf/security/java.security
  # Without providers that the image does not have or need, for which the JDK would search each jar, and without
  # comments, 69 of 72 KB, which a start takes 13 ms to read. The JDK stops at the first number that is missing.
  sed -E -i '/^security\.provider\.[0-9]+=(SunJGSS|SunSASL|XMLDSig|SunPCSC|JdkLDAP|JdkSASL|SunPKCS11)$/d; /^(#.*)?$/d' \
    "$security"
  [[ $(sed -nE 's/^security\.provider\.([0-9]+)=.*/\1/p' "$security" | paste -s -d ,) = 1,2,3,4,5 ]] ||
    die "the JDK has other providers of cryptography: see runtime in jlink/image.sh"
  touch build/runtime.stamp
}

# Packs the classes that a path with $2 names or, with `except`, does not name, to the jar $3, with further arguments of
# `jar`: the same bytes for the same classes, by fixed times and a fixed order.
pack() {
  local not=()
  [[ $1 != except ]] || not=('!')
  (cd build/classes && find . -type f "${not[@]}" -path "$2" | LC_ALL=C sort | sed 's/.*/"&"/') >build/classes.list
  (cd build/classes && "$JAVA_HOME/bin/jar" --create --file "$OLDPWD/$3" --date 2025-01-01T00:00:00Z "${@:4}" \
    @../classes.list)
}

# Moves the native library of the cryptography provider from its jar to lib of the image $1, where the JVM finds it, so
# that nothing is unpacked at run time. The jar goes without its signature: the JDK does not ask providers for one, and
# classes of signed jars are left out of the AOT cache.
native() {
  local jar library folder=build/provider
  for jar in "$1"/lib/app/AmazonCorrettoCryptoProvider-*.jar; do
    rm -rf "$folder"
    mkdir "$folder"
    (cd "$folder" && "$JAVA_HOME/bin/jar" --extract --file "$OLDPWD/$jar")
    for library in "$folder"/com/amazon/corretto/crypto/provider/*.so; do
      install -m 644 "$library" "$1/lib/${library##*/}"
      rm "$library"
    done
    rm -rf "$folder"/META-INF/{MANIFEST.MF,*.SF,*.RSA}
    (cd "$folder" && find . -type f | LC_ALL=C sort | sed 's/.*/"&"/' >../provider.list)
    (cd "$folder" && "$JAVA_HOME/bin/jar" --create --file "$OLDPWD/$jar" --no-manifest \
      --date 2025-01-01T00:00:00Z @../provider.list)
    rm -rf "$folder"
  done
}

# Takes the symbols of debuggers out of the native libraries of the image $1: 12 MB, with which nothing is said to
# operators that is not said without. Where there is no `strip` they stay.
strip_libraries() {
  ! command -v strip >/dev/null || find "$1/lib" -name '*.so' -exec strip --strip-unneeded {} +
}

# Packs the classes to jars in the folder $1: the demonstration has one of its own, which a host may leave out.
app_jars() {
  local jars=("$DEPS"/run/*.jar)
  jars=("${jars[@]##*/}")
  {
    echo "Main-Class: portcullis.cli.Main"
    echo "Implementation-Title: Portcullis"
    echo "Implementation-Version: $VERSION"
    echo "Enable-Native-Access: ALL-UNNAMED"
    echo "Class-Path: ${jars[0]}"
    printf '  %s\n' "${jars[@]:1}" portcullis-demo.jar
  } >build/manifest
  pack except './portcullis/demo/*' "$1/portcullis.jar" --manifest ../manifest
  pack only './portcullis/demo/*' "$1/portcullis-demo.jar"
}

# Gives the files of the image $1 times that are the same in each build, and that tell them apart nevertheless: what the
# AOT cache depends on has one made from its bytes, between 2000 and 2008, so that the launcher sees a file exchanged.
settle() {
  local sum file
  find "$1" -exec touch -h -d @946684800 {} +
  while read -r sum file; do
    touch -d "@$((946684800 + 0x${sum:0:7}))" "$file"
  done < <(sha256sum "$1"/lib/modules "$1"/lib/app/*.jar)
}

# Writes the AOT cache of the image $1, whose path has no characters that URLs escape, to $2 from the class list
# build/classlist. The bytes do not depend on where the image is, since the JVM finds the jars by a path that is the
# same everywhere (it replaces the common prefix of their paths when it uses the cache; bin/portcullis sees to it that
# the path is there), nor on the environment or the memory of the machine, nor on which methods a compiler has come to,
# which the archive has flags of (-Xint), nor on when garbage is collected, by which classes are made again (not before
# the end: there is room for all), nor on where the system maps what: see dumped.
dump() {
  local try
  for try in {1..6000}; do
    dumped "$1" "$2" "$try" && return
    (($? == 1)) || return
  done
  return 1
}

# Tries to write the archive for the $3th time, and returns 1 if the memory for symbols does not begin at a multiple of
# 2 MB (2 where the JVM fails), as the JVM orders a part of what it writes by the addresses of symbols. Linux 6.7 and
# newer map it so the first time, older ones now and then, 20 ms each. The limit of the stack moves it where addresses
# are not random.
dumped() {
  local line begin=
  exec 3< <(exec 8<"$1/lib/app"
    ulimit -S -s $((131072 + 4 * ($3 % 512))) 2>/dev/null
    exec env -i LC_ALL=C TZ=UTC "$1/bin/java" -Xint -XX:+UseSerialGC "@$1/lib/app/options" -Xmx640m -Xms640m \
      -Xmn400m -XX:MetaspaceSize=600m -XX:ActiveProcessorCount=2 -Xlog:os+map=debug:stdout:none -Xshare:dump \
      -XX:+AOTClassLinking -XX:SharedClassListFile=build/classlist -XX:SharedArchiveFile="$2" \
      -cp /proc/self/fd/8/portcullis.jar)
  while read -r line <&3; do
    [[ $line = Reserved*\ \(3221225472\ bytes\) ]] || continue
    begin=${line#*[} begin=${begin%% *}
    break
  done
  if ((begin % 0x200000)); then
    kill -KILL $! && return 1
  fi
  cat <&3 >/dev/null
  wait $! || return 2
}

# Writes the class list of a training run of the image $1 to $2; behind it the words, if any, that the run is begun
# with.
learn() {
  "${@:3}" jlink/train/train.sh "$1" build/learnt DumpLoadedClassList &&
    "$JAVA_HOME/bin/javac" -d build/train jlink/train/*.java &&
    "$1/bin/java" -cp "build/train:$1/lib/app/*" ClassList build/learnt jlink/train/sometimes >"$2"
}

# Makes the AOT cache $2 of the image $1: a static archive with linked classes.
aot_classes() {
  local aside
  aside=$(mktemp -d)
  cp -a "$1" "$aside/image"
  learn "$1" build/classlist &&
    dump "$aside/image" build/one.aot &&
    dump "$aside/image" build/other.aot &&
    "$JAVA_HOME/bin/java" -cp build/train SettledArchive build/{one,other}.aot "$2" &&
    rm -rf "$aside" build/learnt build/train build/{one,other}.aot
}

# Trains the image $1 times, on all processors and on one, idle and busy, and prints the entries that not all class
# lists have: on another machine the release may differ by them, so they belong into jlink/train/sometimes.
train_test() {
  local times=${1:-9} i on busy
  image
  rm -rf build/trained
  mkdir build/trained
  cp -a build/image build/trained/image
  rm build/trained/image/lib/app/{cache,*.aot}
  for ((i = 1; i <= times; i++)); do
    on=() busy=
    ((i % 2)) || on=(taskset -c 0)
    if ((i % 3 == 0)); then
      "${on[@]}" timeout 300 bash -c 'while :; do :; done' &
      busy=$!
    fi
    learn build/trained/image "build/trained/$i" "${on[@]}" 2>/dev/null || die "training run $i failed"
    [[ -z $busy ]] || kill "$busy"
    say "$i of $times: $(wc -l <"build/trained/$i") entries"
  done
  LC_ALL=C sort build/trained/[0-9]* | uniq -c | awk -v all="$times" '$1 < all && !/ @cp /' >build/trained/differences
  cat build/trained/differences
  [[ ! -s build/trained/differences ]] || die "training runs differ (above: how many have it)"
}

# Makes the AOT cache $2 of the image $1 by the training run itself, whose timings are in it.
aot_profiles() {
  jlink/train/train.sh "$1" "$2" AOTCacheOutput
}

# Makes the AOT cache of the image $1, last of all since it knows the files by their time. What is built is moved in
# place as a whole, which the cache stands, so that a service that runs from the old one is not disturbed.
train() {
  local app=$1/lib/app hash
  hash=$(cd "$app" && cat -- *.jar | sha256sum | cut -c 1-16)
  "aot_$AOT" "$1" "$app/portcullis-$hash.aot" >build/train.log 2>&1 || { cat build/train.log >&2; die "no AOT cache"; }
  grep '^train.sh: ' build/train.log >&2 || true
  {
    echo "cache=portcullis-$hash.aot"
    echo "stamp='$(LC_ALL=C && cd "$app" && stat -L -c '%n %s %Y' ../modules *.jar)'"
  } >"$app/cache"
}

image() {
  compile
  alone fresh_image
}

fresh_image() {
  [[ $AOT = classes || $AOT = profiles ]] || die "image: PORTCULLIS_AOT is classes or profiles, not $AOT"
  [[ -f build/image.stamp && $(<build/image.stamp) = "$AOT" ]] || rm -f build/image.stamp
  ! stale build/image.stamp build/classes.stamp "$DEPS" build.sh jlink/{image.sh,modules,options,portcullis,train} ||
    link
  share build/image
}

link() {
  runtime
  rm -rf build/image.new
  cp -a build/runtime build/image.new
  mkdir build/image.new/lib/app
  echo "$AOT" >build/image.stamp.new
  cp -p "$DEPS"/run/*.jar build/image.new/lib/app/
  native build/image.new
  strip_libraries build/image.new
  app_jars build/image.new/lib/app
  install -m 755 jlink/portcullis build/image.new/bin/portcullis
  install -m 644 jlink/options build/image.new/lib/app/options
  share build/image.new
  settle build/image.new
  train build/image.new
  rm -rf build/image
  mv build/image.new build/image
  mv build/image.stamp.new build/image.stamp
}

# Lays the set-ups that come with the program into the image $1. They change without a new image: nothing in it is made
# from them.
share() {
  local folder
  rm -rf "$1/share"
  mkdir "$1/share"
  for folder in config rules; do
    [[ ! -d $folder ]] || cp -R "$folder" "$1/share/"
  done
  cp README.md CHANGELOG.md SECURITY.md CONTRIBUTING.md LICENSE "$1/share/"
}
